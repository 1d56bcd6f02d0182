/** Violations: the meaning of each rule and by how much it was broken. */
import { html } from '../lib/html.js';
import { ahead, dateTime, distance, percent, plural, points, usd } from '../lib/format.js';
import { wordsOf } from '../policy/words.js';

const TITLES = {
  no_active_ips: 'There is no policy',
  no_portfolio_snapshot: 'Your holdings are not known',
  action_not_allowed: 'The action is not allowed',
  crypto_max_allocation: 'Above the crypto maximum',
  crypto_min_allocation: 'Below the crypto minimum',
  tradfi_max_allocation: 'Above the traditional maximum',
  tradfi_min_allocation: 'Below the traditional minimum',
  cash_floor: 'Below the cash floor',
  insufficient_cash: 'Not enough cash',
  drawdown_exceeded: 'Past the drawdown limit',
  slippage_exceeded: 'Too much slippage',
  agent_aum_cap: 'Over a cap of the key',
  asset_authority_monitor: 'The asset can only be monitored',
  asset_authority_protect_sell: 'The asset may not be sold',
  standing_rule_blocked: 'Blocked by a rule or limit of yours',
  standing_rule_requires_approval: 'A rule or limit of yours asks for approval',
  invalid_payload: 'The trade was malformed',
};

/** What a trade of a paused agent is told, which is no matter of its action. */
const PAUSED = { 'This key is paused.': 'The agent is paused', 'All agents are paused.': 'All agents are paused' };

const FROM_BELOW = ['crypto_min_allocation', 'tradfi_min_allocation', 'cash_floor'];
const IN_DOLLARS = ['insufficient_cash', 'agent_aum_cap', 'action_not_allowed'];

/** Whether a violation is of a limit over time, and of its amount rather than its number of trades. */
const isFlow = ({ message }) => / would be proposed within /.test(message);
const isFlowOfUsd = ({ message }) => /^\S+ USD would be proposed /.test(message);

const isInDollars = (violation) => IN_DOLLARS.includes(violation.rule) || isFlow(violation);

/** The unit of a rule: fractions of the portfolio, dollars, trades, or calls per day. */
function inUnits(violation, value) {
  if (!isInDollars(violation)) return percent(value, 4);
  if (isFlow(violation) && !isFlowOfUsd(violation)) return plural(value, 'trade');
  return violation.rule === 'agent_aum_cap' && /\bcalls?\b/.test(violation.message) ? plural(value, 'call') : usd(value);
}

/** All rules, in the order in which they are reported. */
export const RULES = Object.keys(TITLES);

export const ruleTitle = (rule) => TITLES[rule] ?? rule;

/** The title of a violation: the standing rule or limit in words, if the policy given has it. */
export const violationTitle = ({ rule, ruleId, message }, ips) => (ruleId && wordsOf(ips, ruleId)) || (rule === 'action_not_allowed' && PAUSED[message]) || ruleTitle(rule);

/** When a trade that a limit over time stopped is possible again; null for any other violation. */
export function retryWords({ retryAt }) {
  if (retryAt === undefined) return null;
  return retryAt === null ? 'This amount alone is more than the limit allows, at any time.'
    : Date.parse(retryAt) <= Date.now() ? `Possible again since ${dateTime(retryAt)}.`
      : `Possible again ${ahead(retryAt)}, from ${dateTime(retryAt)} on, if nothing else is proposed until then.`;
}

/** By how much a limit was exceeded: "1.4 points over", "2,000 USD over", and "just under" where rounding hides it. */
function excess(violation) {
  const { rule, limit, actual } = violation;
  if (limit === undefined || actual === undefined) return null;
  const size = distance(actual, limit);
  if (size === 0) return `just ${FROM_BELOW.includes(rule) ? 'under' : 'over'}`;
  return `${isInDollars(violation) ? inUnits(violation, size) : points(size)} ${actual > limit ? 'over' : 'under'}`;
}

/** @param ips the policy whose rules and limits are named in words; their ids are shown without it */
export function Violations({ of, ips }) {
  return html`
    <ul class="violations">${of.map((violation) => html`
      <li>
        <p class="rule"><strong>${violationTitle(violation, ips)}</strong> <code>${violation.rule}</code></p>
        <p>${violation.message}</p>
        ${excess(violation) && html`
          <p class="by">Limit ${inUnits(violation, violation.limit)}, would be ${inUnits(violation, violation.actual)}:
            <strong> ${excess(violation)}</strong></p>`}
        ${retryWords(violation) && html`<p data-retry>${retryWords(violation)}</p>`}
      </li>`)}</ul>`;
}
