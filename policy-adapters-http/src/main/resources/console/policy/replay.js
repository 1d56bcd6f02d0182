/** How past decisions would have come out under a policy: one line with a bar, counted anew while the policy is edited. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { post } from '../lib/api.js';
import { date, plural, tradeWords } from '../lib/format.js';
import { useCalm, useLoad } from '../lib/load.js';
import { pendingRequests } from '../lib/requests.js';
import { Link } from '../lib/router.js';
import { AgentBadge, VerdictBadge, When } from '../ui/text.js';
import { ruleTitle } from '../ui/violations.js';

const DAYS = 30;
const DAY = 86_400_000;

/** How many of the newest decisions are counted, step by step, so that there is soon something to see. */
const STEPS = [500, 4_000, 20_000];

const NOTHING = { of: null, answer: null, error: null, isDone: false };

/**
 * The replay of a document, made anew when nothing was changed for a moment. It is null while there is nothing to replay, and
 * never that of an earlier document. One call is under way at a time.
 */
export function useReplay(ips, document) {
  const now = document === null ? null : JSON.stringify(document);
  const calm = useCalm(now);
  const [state, setState] = useState(NOTHING);
  const last = useRef(Promise.resolve());
  useEffect(() => {
    if (calm === null) return undefined;
    let isLatest = true;
    const show = (shown) => { if (isLatest) setState({ ...NOTHING, of: calm, ...shown }); };
    const count = async () => {
      try {
        for (const limit of STEPS) {
          if (!isLatest) return;
          const answer = await post('/ips/preview', { document: JSON.parse(calm), days: DAYS, limit });
          const isDone = !answer.atLeast || limit === STEPS.at(-1);
          show({ answer, isDone });
          if (isDone) return;
        }
      } catch (error) {
        show({ error, isDone: true });
      }
    };
    last.current = last.current.then(count);
    return () => { isLatest = false; };
  }, [calm, ips?.ipsVersion]);
  if (now === null) return null;
  return calm === now && state.of === now ? state : NOTHING;
}

function turnedWords({ newlyBlocked, newlyAllowed }) {
  if (newlyBlocked === 0 && newlyAllowed === 0) return 'none would have come out differently.';
  return newlyBlocked === 0 ? `${newlyAllowed} would have been allowed.`
    : `${newlyBlocked} would have been blocked${newlyAllowed > 0 ? `, and ${newlyAllowed} allowed` : ''}.`;
}

/** "Of the last 30 days' 412 decisions 3 would have been blocked." */
function replayWords(replay, since) {
  const { count, atLeast } = replay;
  if (count === 0) return since ? 'No agent has asked anything since.' : `No agent has asked anything in the last ${DAYS} days, so there is nothing to compare.`;
  const all = atLeast ? `the newest ${plural(count, 'decision')}` : since ? `${plural(count, 'decision')} since` : `the last ${DAYS} days' ${plural(count, 'decision')}`;
  return `Of ${all} ${turnedWords(replay)}`;
}

/** Those that differ as parts of all, each wide enough to be seen. */
const Bar = ({ of: { count, newlyBlocked, newlyAllowed, notReplayable } }) => html`
  <span class="turned" aria-hidden="true">${[['bad', newlyBlocked], ['good', newlyAllowed], ['unknown', notReplayable]].map(([kind, part]) => part > 0
    && html`<span class=${kind} style=${{ width: `${(part / count) * 100}%` }}></span>`)}</span>`;

/** How far back decisions were counted so far. */
function Progress({ answer }) {
  const oldest = answer?.oldestAt;
  return html`<label class="progress"><span class="num">${oldest ? `Counted back to ${date(oldest)}…` : 'Counting past decisions…'}</span>
    <progress max="1" value=${oldest ? Math.min(1, (Date.now() - Date.parse(oldest)) / (DAYS * DAY)) : undefined}></progress></label>`;
}

/** How many waiting requests are named. */
const MAX_NAMED = 5;

/** The waiting requests whose proposal the policy blocks. */
function Affected({ ids }) {
  const { data } = useLoad(pendingRequests, [ids.join()]);
  const named = ids.slice(0, MAX_NAMED).map((id) => [id, data?.find((request) => request.id === id)]);
  return html`
    <div data-affected><p><strong>It would block ${plural(ids.length, 'request')} that ${ids.length === 1 ? 'waits' : 'wait'} for you:</strong></p>
      <ul class="plain">${named.map(([id, request]) => html`
        <li key=${id}><${Link} to=${`/requests/${id}`}>${request ? tradeWords(request.trade) : `Request ${id}`}<//>${request && html` <small><${AgentBadge} name=${request.agentName} /></small>`}</li>`)}
        ${ids.length > MAX_NAMED && html`<li class="muted">and ${ids.length - MAX_NAMED} more</li>`}</ul></div>`;
}

/**
 * A replay in one line with a bar.
 *
 * @param of its answer, whether that is all, and what went wrong
 * @param version the version in force that the page shows
 * @param since whether all decisions since a shadow was set are counted, and not those of some days
 */
export function ReplayLine({ of: { answer, error, isDone }, version = null, since = false }) {
  if (error) return html`<p class="muted" role="status">Not counted on past decisions: ${error.message}</p>`;
  return html`
    <div class="replay" role="status" data-replay=${isDone ? 'done' : 'counting'}>
      ${answer && html`<p>${replayWords(answer, since)}</p>${answer.count > 0 && html`<${Bar} of=${answer} />`}`}
      ${answer?.notReplayable > 0 && html`<p class="muted">${plural(answer.notReplayable, 'decision')} cannot be decided again, because something they depend on was not recorded.</p>`}
      ${answer?.pendingAffected.length > 0 && html`<${Affected} ids=${answer.pendingAffected} />`}
      ${answer && isDone && answer.basedOn !== version && html`<p class="muted">Version ${answer.basedOn} is in force by now. Reload the page.</p>`}
      ${!isDone && html`<${Progress} answer=${answer} />`}
    </div>`;
}

const rules = (verdict) => (verdict.allowed ? '' : verdict.violations.map((violation) => ruleTitle(violation.rule)).join(', '));

/** The newest decisions that would have come out differently. */
export const Turned = ({ results }) => results.length > 0 && html`
  <div class="scroll" tabindex="0" role="region" aria-label="Decisions that would differ"><table>
    <thead><tr><th scope="col">Trade</th><th scope="col">Was</th><th scope="col">Would be</th><th scope="col">When</th></tr></thead>
    <tbody>${results.map((line) => html`<tr key=${line.id}>
      <td>${tradeWords(line.payload)}</td>
      <td><${VerdictBadge} allowed=${line.before.allowed} /> <small>${rules(line.before)}</small></td>
      <td><${VerdictBadge} allowed=${line.after.allowed} /> <small>${rules(line.after)}</small></td>
      <td><${When} at=${line.checkedAt} /></td></tr>`)}</tbody></table></div>`;
