/** A policy in plain words, and the differences between two policies. */
import { percent, assetClass, usd } from '../lib/format.js';

const DAYS = { MON: 'Monday', TUE: 'Tuesday', WED: 'Wednesday', THU: 'Thursday', FRI: 'Friday', SAT: 'Saturday', SUN: 'Sunday' };
export const LEVELS = {
  full: 'Buy and sell',
  protect: 'Buy, never sell',
  monitor: 'Watch only',
};

export const UNKNOWN_ASSETS = {
  block: 'Watch only',
  as_said: 'The asset class in the call is used',
};

const listed = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);
const hour = (value) => `${String(value).padStart(2, '0')}:00`;

/** "Block buys of DOGE and SHIB above 1,000 USD on Saturday and Sunday". */
export function ruleWords(rule) {
  const when = rule.when ?? {};
  const actions = when.actions ?? ['buy', 'sell'];
  const what = actions.length === 2 ? 'every trade' : `every ${actions[0] ?? 'trade'}`;
  const parts = [rule.effect === 'block' ? 'Block' : 'Block, unless allowed,', what];
  if (when.symbols) parts.push(`of ${listed(when.symbols)}`);
  if (when.assetTypes?.length === 1) parts.push(`in ${assetClass(when.assetTypes[0]).toLowerCase()} assets`);
  if (when.amountUsdAbove !== undefined) parts.push(`above ${usd(when.amountUsdAbove)}`);
  if (when.hours) parts.push(`from ${hour(when.hours.start)} to ${hour(when.hours.end)} (${when.hours.tz})`);
  if (when.daysOfWeek) parts.push(`on ${listed(when.daysOfWeek.map((day) => DAYS[day]))}`);
  return parts.join(' ');
}

function lines(ips) {
  const found = new Map();
  if (!ips) return found;
  for (const sleeve of ['crypto', 'tradfi']) {
    for (const edge of ['min', 'target', 'max']) {
      const name = { min: 'minimum', target: 'target', max: 'maximum' }[edge];
      found.set(`${assetClass(sleeve)} ${name}`, percent(ips[sleeve][edge], 4));
    }
  }
  found.set('Cash floor', percent(ips.cashFloor, 4));
  found.set('Drawdown limit', percent(ips.maxDrawdown, 4));
  found.set('Slippage cap', percent(ips.maxSlippage, 4));
  found.set('Agents may', ips.allowedActions.length === 0 ? 'neither buy nor sell' : listed([...ips.allowedActions].sort()));
  found.set('Assets not listed', LEVELS[ips.assetAuthority.default]);
  found.set('Unknown assets', UNKNOWN_ASSETS[ips.unknownAssets ?? 'as_said']);
  for (const [symbol, level] of Object.entries(ips.assetAuthority.assets ?? {})) found.set(symbol, LEVELS[level]);
  for (const rule of ips.standingRules) found.set(`Rule ${rule.id}`, ruleWords(rule) + (rule.reason ? ` (${rule.reason})` : ''));
  found.set('Tier', ips.tier === null || ips.tier === undefined ? 'none' : String(ips.tier));
  return found;
}

/** The differences: {what, from, to}; null on the side that has no value. */
export function differences(before, after) {
  const was = lines(before);
  const is = lines(after);
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((what) => ({ what, from: was.get(what) ?? null, to: is.get(what) ?? null }))
    .filter(({ from, to }) => from !== to);
}
