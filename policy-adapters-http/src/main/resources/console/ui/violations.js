/** Violations: the meaning of each rule and by how much it was broken. */
import { html } from '../lib/html.js';
import { distance, percent, plural, points, usd } from '../lib/format.js';

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
  standing_rule_blocked: 'Blocked by a standing rule',
  standing_rule_requires_approval: 'A standing rule asks for approval',
  invalid_payload: 'The trade was malformed',
};

const FROM_BELOW = ['crypto_min_allocation', 'tradfi_min_allocation', 'cash_floor'];
const IN_DOLLARS = ['insufficient_cash', 'agent_aum_cap', 'action_not_allowed'];

/** The unit of a rule: fractions of the portfolio, dollars, or calls per day. */
function inUnits({ rule, message }, value) {
  if (!IN_DOLLARS.includes(rule)) return percent(value, 4);
  return rule === 'agent_aum_cap' && /\bcalls?\b/.test(message) ? plural(value, 'call') : usd(value);
}

/** All rules, in the order in which they are reported. */
export const RULES = Object.keys(TITLES);

export const ruleTitle = (rule) => TITLES[rule] ?? rule;

/** By how much a limit was exceeded: "1.4 points over", "2,000 USD over", and "just under" where rounding hides it. */
function excess(violation) {
  const { rule, limit, actual } = violation;
  if (limit === undefined || actual === undefined) return null;
  const size = distance(actual, limit);
  if (size === 0) return `just ${FROM_BELOW.includes(rule) ? 'under' : 'over'}`;
  return `${IN_DOLLARS.includes(rule) ? inUnits(violation, size) : points(size)} ${actual > limit ? 'over' : 'under'}`;
}

export function Violations({ of }) {
  return html`
    <ul class="violations">${of.map((violation) => html`
      <li>
        <p class="rule"><strong>${ruleTitle(violation.rule)}</strong> <code>${violation.rule}</code></p>
        <p>${violation.message}</p>
        ${excess(violation) && html`
          <p class="by">Limit ${inUnits(violation, violation.limit)}, would be ${inUnits(violation, violation.actual)}:
            <strong> ${excess(violation)}</strong></p>`}
      </li>`)}</ul>`;
}
