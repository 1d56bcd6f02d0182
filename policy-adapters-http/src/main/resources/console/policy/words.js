/** A policy in plain words, and the differences between two policies. */
import { percent, assetClass, plural, usd } from '../lib/format.js';

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

/** "a, b and c" */
export const listed = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);
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

/** A window in its largest whole unit: "10 minutes", "24 hours", "7 days". */
function windowWords(minutes) {
  if (minutes > 1440 && minutes % 1440 === 0) return plural(minutes / 1440, 'day');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute');
}

const assetsOf = ({ symbols, assetTypes }) => (symbols ? listed(symbols) || 'no asset' : assetTypes?.length === 1 ? `${assetClass(assetTypes[0]).toLowerCase()} assets` : null);

const PER = { account: 'all agents together', agent: 'each agent', asset: 'each asset' };

function positionWords({ max, perAsset, scope = {} }) {
  const { symbols, assetTypes } = scope;
  const kind = assetTypes?.length === 1 ? `${assetClass(assetTypes[0]).toLowerCase()} ` : '';
  const what = symbols?.length === 1 ? symbols[0]
    : perAsset ? (symbols ? `each of ${listed(symbols)}` : `any one ${kind}asset`) : `${assetsOf(scope) ?? 'all assets'} together`;
  return `At most ${percent(max, 4)} in ${what}`;
}

function flowWords({ windowMinutes, maxUsd, maxTrades, per = 'account', scope = {} }) {
  const action = scope.actions?.length === 1 ? scope.actions[0] : null;
  const assets = assetsOf(scope);
  if (per === 'asset' && maxTrades === 1 && (maxUsd ?? null) === null) {
    return `Not the same asset ${action === null ? '' : action === 'buy' ? 'bought ' : 'sold '}twice in ${windowWords(windowMinutes)}${assets === null ? '' : ` (${assets})`}`;
  }
  const most = [
    (maxUsd ?? null) !== null && `${usd(maxUsd)}${action === null ? '' : ` of ${action}s`}`,
    (maxTrades ?? null) !== null && plural(maxTrades, action ?? 'trade'),
  ].filter(Boolean).join(' and ');
  return `At most ${most}${assets === null ? '' : ` of ${assets}`} in any ${windowWords(windowMinutes).replace(/^1 /, '')}, ${PER[per]}`;
}

function lossWords({ windowDays, max, scope = {} }) {
  const assets = assetsOf(scope);
  const stop = `no buying${assets === null ? '' : ` of ${assets}`}`;
  return windowDays === 1 ? `After losing ${percent(max, 4)} in a day, ${stop} until midnight UTC`
    : `After losing ${percent(max, 4)} in ${windowDays} days, ${stop} while it lasts`;
}

const LIMIT_WORDS = { position: positionWords, flow: flowWords, loss: lossWords };

/** "At most 15% in BTC", "Not the same asset twice in 10 minutes". */
export const limitWords = (limit) => LIMIT_WORDS[limit.kind](limit) + (limit.effect === 'require_approval' ? ', unless you allow it' : '');

/** The words of the standing rule or limit with an id; null where the policy has none. */
export function wordsOf(ips, id) {
  const limit = ips?.limits?.find((one) => one.id === id);
  const rule = ips?.standingRules.find((one) => one.id === id);
  return limit ? limitWords(limit) : rule ? ruleWords(rule) : null;
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
  for (const limit of ips.limits ?? []) found.set(`Limit ${limit.id}`, limitWords(limit) + (limit.reason ? ` (${limit.reason})` : ''));
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

const band = (name, { min, target, max }) => `Keep ${name} between ${percent(min, 4)} and ${percent(max, 4)}, aim for ${percent(target, 4)}.`;

const ACTIONS = { buy: 'Agents may buy, and not sell.', sell: 'Agents may sell, and not buy.', 'buy,sell': 'Agents may buy and sell.', '': 'Agents may neither buy nor sell.' };

const AUTHORITY = {
  full: (assets) => `Buy and sell ${assets}.`, protect: (assets) => `Buy ${assets}, and never sell.`, monitor: (assets) => `Watch ${assets} only.`,
};

const authority = ({ default: level, assets = {} }) => [
  ...Object.keys(AUTHORITY).map((one) => [one, Object.keys(assets).filter((symbol) => assets[symbol] === one).sort()])
    .filter(([, symbols]) => symbols.length > 0).map(([one, symbols]) => AUTHORITY[one](listed(symbols))),
  AUTHORITY[level](Object.keys(assets).length > 0 ? 'every other asset' : 'any asset'),
];

/** A whole policy, sentence by sentence: "Keep crypto between 10% and 35%, aim for 20%." */
export const policyWords = (ips) => [
  band('crypto', ips.crypto),
  band('traditional assets', ips.tradfi),
  `Keep at least ${percent(ips.cashFloor, 4)} in cash.`,
  `Buy nothing while the portfolio is more than ${percent(ips.maxDrawdown, 4)} below its peak.`,
  `Accept at most ${percent(ips.maxSlippage, 4)} of slippage.`,
  ACTIONS[[...ips.allowedActions].sort().join()],
  ...authority(ips.assetAuthority),
  ips.unknownAssets === 'block' ? 'Watch unknown assets only.' : 'Take unknown assets for what the agent says they are.',
  ...(ips.limits ?? []).map((limit) => `${limitWords(limit)}.`),
  ...ips.standingRules.map((rule) => `${ruleWords(rule)}.`),
];
