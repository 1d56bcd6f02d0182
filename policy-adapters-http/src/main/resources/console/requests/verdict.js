/** The verdict of this moment on a waiting request, in one line: whether it is within policy, and how close to a limit. */
import { html } from '../lib/html.js';
import { percent, plural, points, usd } from '../lib/format.js';
import { ruleTitle, Violations } from '../ui/violations.js';

const listed = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);

const lowerFirst = (words) => words[0].toLowerCase() + words.slice(1);

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
  insufficient_cash: (room) => `cash, ${usd(Math.abs(room))} left`,
  action_not_allowed: (room) => `the position, ${usd(Math.abs(room))} left`,
  agent_aum_cap: (room) => `the caps of the agent, ${usd(Math.abs(room))} left`,
};

/** "Tightest: cash, 3.5 points above its floor." */
export function tightestWords({ rule, limit, actual }) {
  const words = DISTANCES[rule];
  return words ? `Tightest: ${words(Number((limit - actual).toFixed(6)))}.` : `Tightest: ${lowerFirst(ruleTitle(rule))}.`;
}

/** "Would be blocked now: below the cash floor." */
export const blockedWords = (violations) => `Would be blocked now: ${listed([...new Set(violations.map(({ rule }) => lowerFirst(ruleTitle(rule))))])}.`;

export function Verdict({ now }) {
  if (!now) return html`<p class="verdict-line">Checking the policy…</p>`;
  if (!now.allowed) {
    return html`
      <div class="verdict-line bad" data-verdict="blocked"><p><strong>${blockedWords(now.violations)}</strong></p>
        <details><summary>Why</summary><${Violations} of=${now.violations} /></details></div>`;
  }
  return html`<p class="verdict-line good" data-verdict="allowed"><strong>Within policy.</strong> ${now.tightest && html`<span data-tightest>${tightestWords(now.tightest)}</span>`}</p>`;
}

/** What would be if everything that waits were accepted. */
export function AllPending({ now }) {
  const all = now?.ifAllPending;
  if (!all) return null;
  return all.allowed ? html`<p>If you accept everything that waits, all of it stays within policy.</p>`
    : html`<p><strong>Not everything that waits fits.</strong> After all other requests this one ${lowerFirst(blockedWords(all.violations)).replace(' now', '')}</p>`;
}

/** What an agent has left of its caps today, or null if its key has none. */
export function leftWords(key) {
  if (!key?.usedToday) return null;
  const { policy, usedToday: used } = key;
  const rest = (cap, spent, words) => (cap === null ? null : words(Math.max(0, cap - spent)));
  const parts = [
    rest(policy.dailyCallCap, used.calls, (calls) => plural(calls, 'call')),
    rest(policy.dailyUsdCap, used.usd, (amount) => `${usd(amount)} to propose`),
    rest(policy.aumCapUsd, used.aum, (amount) => `${usd(amount)} outstanding`),
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(', ');
}

export const shareWords = (fraction) => `${percent(fraction, 2)} of the portfolio`;
