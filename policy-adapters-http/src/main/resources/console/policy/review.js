/** The review before a policy is saved: what changes, and which past decisions would have been different. */
import { html, useEffect } from '../lib/html.js';
import { post } from '../lib/api.js';
import { plural, tradeWords } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { Loaded } from '../ui/states.js';
import { VerdictBadge, When } from '../ui/text.js';
import { ruleTitle } from '../ui/violations.js';
import { Relation } from './comparison.js';
import { differences } from './words.js';

/** The differences of two policies as a table. */
export function Differences({ before, after }) {
  const found = differences(before, after);
  if (found.length === 0) return html`<p class="muted">There are no differences.</p>`;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Differences"><table class="diff">
      <thead><tr><th scope="col">What</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>${found.map(({ what, from, to }) => html`<tr><th scope="row">${what}</th>
        <td>${from === null ? html`<span class="muted">none</span>` : html`<del>${from}</del>`}</td>
        <td>${to === null ? html`<span class="muted">none</span>` : html`<ins>${to}</ins>`}</td></tr>`)}</tbody></table></div>`;
}

const rules = (verdict) => (verdict.allowed ? '' : verdict.violations.map((violation) => ruleTitle(violation.rule)).join(', '));

function PastDecisions({ preview }) {
  const changed = preview.results.filter((line) => line.different);
  if (preview.count === 0) return html`<p class="muted">No agent has asked anything yet, so there is nothing to compare.</p>`;
  return html`
    <p>Of the last ${plural(preview.count, 'decision')}, <strong>${changed.length === 0 ? 'none' : changed.length}</strong> would have come out differently.</p>
    ${changed.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Decisions that would differ"><table>
      <thead><tr><th scope="col">Trade</th><th scope="col">Was</th><th scope="col">Would be</th><th scope="col">When</th></tr></thead>
      <tbody>${changed.map((line) => html`<tr key=${line.id}>
        <td>${tradeWords(line.payload)}</td>
        <td><${VerdictBadge} allowed=${line.before.allowed} /> <small>${rules(line.before)}</small></td>
        <td><${VerdictBadge} allowed=${line.after.allowed} /> <small>${rules(line.after)}</small></td>
        <td><${When} at=${line.checkedAt} /></td></tr>`)}</tbody></table></div>`}`;
}

/**
 * Asks the service for past decisions under a document, and shows them with the changes.
 *
 * @param comparison with the policy in force, as `useComparison` has it; null without one
 * @param onError gets what the service does not take of the document, or null
 */
export function Review({ before, document, comparison, onError }) {
  const preview = useLoad(() => post('/ips/preview', document), [JSON.stringify(document)]);
  useEffect(() => onError(preview.error), [preview.error]);
  return html`
    <h3>What changes</h3>
    <${Differences} before=${before} after=${document} />
    ${comparison && html`<h3>What it permits</h3><${Relation} of=${comparison} before=${before} after=${document} hasFindings=${true} />`}
    <h3>Past decisions under this policy</h3>
    <${Loaded} of=${preview}>${(loaded) => html`<${PastDecisions} preview=${loaded} />`}<//>`;
}
