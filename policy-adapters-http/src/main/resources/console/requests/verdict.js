/** The verdict of this moment on a waiting request, in one line: whether it is within policy, and how close to a limit. */
import { html } from '../lib/html.js';
import { lowerFirst, percent, plural, points, tradeWords, worth } from '../lib/format.js';
import { Foreign } from '../ui/text.js';
import { Violations, violationTitle } from '../ui/violations.js';

const listed = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);

/** A distance to one decimal, or to two where one would be nothing. */
const near = (room) => points(room, Math.abs(room) < 0.001 ? 2 : 1);

/** How far a measure stays from its limit, by rule: "cash, 3.5 points above its floor". */
const DISTANCES = {
  crypto_max_allocation: (room) => `crypto, ${near(room)} below its maximum`,
  tradfi_max_allocation: (room) => `traditional, ${near(room)} below its maximum`,
  crypto_min_allocation: (room) => `crypto, ${near(room)} above its minimum`,
  tradfi_min_allocation: (room) => `traditional, ${near(room)} above its minimum`,
  cash_floor: (room) => `cash, ${near(room)} above its floor`,
  drawdown_exceeded: (room) => `drawdown, ${near(room)} below its limit`,
  slippage_exceeded: (room) => `slippage, ${near(room)} below its cap`,
  insufficient_cash: (room) => `cash, ${worth(Math.abs(room))} left`,
  action_not_allowed: (room) => `the position, ${worth(Math.abs(room))} left`,
  agent_aum_cap: (room) => `the caps of the agent, ${worth(Math.abs(room))} left`,
};

/** "Tightest: cash, 3.5 points above its floor." */
export function tightestWords(tightest, ips) {
  const { rule, ruleId, limit, actual } = tightest;
  const room = Number((limit - actual).toFixed(6));
  if (DISTANCES[rule]) return `Tightest: ${DISTANCES[rule](room)}.`;
  return `Tightest: ${lowerFirst(violationTitle(tightest, ips))}${ruleId && actual !== null ? `, ${near(room)} left` : ''}.`;
}

/** "below the cash floor and above the crypto maximum" */
const rulesOf = (violations, ips) => listed([...new Set(violations.map((violation) => lowerFirst(violationTitle(violation, ips))))]);

export function Verdict({ now, ips }) {
  if (!now) return html`<p class="verdict-line">Checking the policy…</p>`;
  if (!now.allowed) {
    return html`
      <div class="verdict-line bad" data-verdict="blocked"><p><strong>Would be blocked now: ${rulesOf(now.violations, ips)}.</strong></p>
        <details><summary>Why</summary><${Violations} of=${now.violations} ips=${ips} /></details></div>`;
  }
  const { possible, reason } = now.execution;
  return html`
    <div class=${`verdict-line ${possible ? 'good' : 'wait'}`} data-verdict="allowed">
      <p><strong>Within policy.</strong> ${now.tightest && html`<span data-tightest>${tightestWords(now.tightest, ips)}</span>`}</p>
      ${!possible && html`<p data-execution><strong>It cannot be executed now.</strong> <${Foreign} text=${reason} /></p>`}</div>`;
}

/**
 * What would be if everything that waits were accepted.
 *
 * @param waiting the requests that wait, to name one
 */
export function AllPending({ request, now, waiting, ips }) {
  if (!now) return html`<p>Checking everything that waits…</p>`;
  const { checked, more, firstBlocked } = now.allInOrder;
  if (firstBlocked) {
    const trade = waiting.find(({ id }) => id === firstBlocked.id)?.trade;
    const which = firstBlocked.id === request.id ? 'this one' : trade ? tradeWords(trade) : `request ${firstBlocked.id}`;
    return html`<p><strong>Not everything that waits fits.</strong> Accepted oldest first, ${which} would be blocked: ${rulesOf(firstBlocked.violations, ips)}.</p>`;
  }
  if (!more) return html`<p>If you accept everything that waits, oldest first, all of it stays within policy.</p>`;
  return html`<p>${checked === 0 ? 'So many requests wait that they were not looked at together.'
    : `Only the oldest ${checked} of all that wait were looked at together: accepted oldest first, those stay within policy.`}</p>`;
}

/** What an agent has left of its caps today, or null if its key has none. */
export function leftWords(key) {
  if (!key?.usedToday) return null;
  const { policy, usedToday: used } = key;
  const rest = (cap, spent, words) => (cap === null ? null : words(Math.max(0, cap - spent)));
  const parts = [
    rest(policy.dailyCallCap, used.calls, (calls) => plural(calls, 'call')),
    rest(policy.dailyUsdCap, used.usd, (amount) => `${worth(amount)} to propose`),
    rest(policy.aumCapUsd, used.aum, (amount) => `${worth(amount)} outstanding`),
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(', ');
}

export const shareWords = (fraction) => `${percent(fraction, 2)} of the portfolio`;
