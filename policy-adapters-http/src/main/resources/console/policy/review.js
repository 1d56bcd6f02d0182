/** The review before a policy is saved: what changes, what that permits, and what it would have done to past decisions. */
import { html, useEffect } from '../lib/html.js';
import { ErrorBox } from '../ui/states.js';
import { Relation } from './comparison.js';
import { ReplayLine, Turned } from './replay.js';
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

/**
 * Shows the changes of a document and what they come to.
 *
 * @param comparison with the policy in force, as `useComparison` has it; null without one
 * @param replay of the document, as `useReplay` has it
 * @param onError gets what the service does not take of the document, or null
 */
export function Review({ before, document, comparison, replay, onError }) {
  useEffect(() => onError(replay.error), [replay.error]);
  return html`
    <h3>What changes</h3>
    <${Differences} before=${before} after=${document} />
    ${comparison && html`<h3>What it permits</h3><${Relation} of=${comparison} before=${before} after=${document} hasFindings=${true} />`}
    <h3>Past decisions under this policy</h3>
    ${replay.error ? html`<${ErrorBox} error=${replay.error} />` : html`<${ReplayLine} of=${replay} version=${before?.ipsVersion} />`}
    ${replay.answer && html`<${Turned} results=${replay.answer.results} />`}`;
}
