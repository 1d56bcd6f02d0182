// Reads pairs of policies, a line of JSON each: { now, from, to }. Answers each with { looser, tighter }: whether a trade
// exists that `to` allows and `from` does not, and the other way round; true, false, or null if Z3 does not know in time.
// Written from docs/reference/rules.md and ips.md. The arguments are the files of the pairs and of the answers.
import { readFileSync, writeFileSync } from 'node:fs';
import { init } from 'z3-solver';

const TIMEOUT_MS = 20_000;
/** Z3 answers -1 if there is no solution, and 1 if there is one. */
const UNDECIDED = 0;
const MAX_AMOUNT_USD = 1_000_000_000_000;
const QUARTER = 15 * 60 * 1000;
const DAY = 24 * 60 * 60 * 1000;
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

// Assets of the directory, two of each sleeve that no policy names, and assets that nobody knows.
const DIRECTORY = { BTC: 'crypto', ETH: 'crypto', SPY: 'tradfi', SOL: 'crypto', ADA: 'crypto', QQQ: 'tradfi', VTI: 'tradfi' };
const UNKNOWN = ['FOO', 'BAR', 'NEW'];
const ASSETS = [...Object.keys(DIRECTORY), ...UNKNOWN];
const NAMED = ['FOO', 'BAR'];
// What agents send: one asset of each sort, and pairs and derivatives of those that a policy may make a crypto symbol.
const SENT = [
  ...['BTC', 'ETH', 'SPY', 'SOL', 'QQQ', 'NEW', ...NAMED].map((symbol) => ({ symbol, of: symbol, kind: 'asset' })),
  ...NAMED.map((of) => ({ symbol: `${of}USD`, of, kind: 'dollars' })),
  ...NAMED.map((of) => ({ symbol: `${of}-PERP`, of, kind: 'derivative' })),
];

// Formulas as text of SMT-LIB

const and = (...parts) => (parts.length === 0 ? 'true' : parts.length === 1 ? parts[0] : `(and ${parts.join(' ')})`);
const or = (...parts) => (parts.length === 0 ? 'false' : parts.length === 1 ? parts[0] : `(or ${parts.join(' ')})`);
const not = (part) => `(not ${part})`;
const sum = (parts) => (parts.length === 0 ? '0.0' : parts.length === 1 ? parts[0] : `(+ ${parts.join(' ')})`);
const when = (condition, value) => `(ite ${condition} ${value} 0.0)`;
const times = (factor, of) => `(* ${factor} ${of})`;
const above = (one, other) => `(> ${one} ${other})`;
const below = (one, other) => `(< ${one} ${other})`;

/** A JSON number as an exact decimal. */
function number(value) {
  const text = String(value);
  const [digits, exponent] = text.toLowerCase().split('e');
  let [whole, decimals = ''] = digits.split('.');
  let power = Number(exponent ?? 0);
  for (; power > 0; power--) {
    whole += decimals[0] ?? '0';
    decimals = decimals.slice(1);
  }
  for (; power < 0; power++) {
    decimals = (whole.at(-1) ?? '0') + decimals;
    whole = whole.slice(0, -1);
  }
  return `${whole === '' ? '0' : whole}.${decimals === '' ? '0' : decimals}`;
}

/** 1 minus a fraction of at most 6 decimals. */
function less(fraction) {
  const millionths = 1_000_000 - Math.round(fraction * 1_000_000);
  return `(/ ${millionths}.0 1000000.0)`;
}

// The portfolio: v_X is held of X; an unknown asset may be held in either sleeve, or not at all.

const held = (asset) => `v_${asset}`;
const isHeld = (asset) => `held_${asset}`;
const isCrypto = (asset) => (asset in DIRECTORY ? String(DIRECTORY[asset] === 'crypto') : `crypto_${asset}`);
const isIn = (asset, sleeve) => (sleeve === 'crypto' ? isCrypto(asset) : not(isCrypto(asset)));
const sleeveValue = (sleeve) => sum(ASSETS.map((asset) => when(isIn(asset, sleeve), held(asset))));

function declarations() {
  const lines = ['(declare-const cents Int)', '(assert (>= cents 1))', '(declare-const a Real)'];
  lines.push('(assert (= (* 100.0 a) (to_real cents)))', `(assert (<= a ${number(MAX_AMOUNT_USD)}))`);
  // b is what slippage takes, a times s.
  for (const name of ['b', 'K', 'P', 'P1', 'P7', 'P30']) lines.push(`(declare-const ${name} Real)`);
  for (const asset of ASSETS) {
    lines.push(`(declare-const ${held(asset)} Real)`, `(assert (>= ${held(asset)} 0.0))`);
    if (!(asset in DIRECTORY)) {
      lines.push(`(declare-const ${isHeld(asset)} Bool)`, `(declare-const ${isCrypto(asset)} Bool)`);
      lines.push(`(assert (=> (not ${isHeld(asset)}) (= ${held(asset)} 0.0)))`);
    }
  }
  lines.push('(declare-const buy Bool)', '(declare-const said_crypto Bool)');
  const sums = { T: sum(['K', ...ASSETS.map(held)]), after: '(- T b)', crypto: sleeveValue('crypto'), tradfi: sleeveValue('tradfi') };
  for (const [name, value] of Object.entries(sums)) lines.push(`(declare-const ${name} Real)`, `(assert (= ${name} ${value}))`);
  lines.push('(assert (and (>= b 0.0) (<= b a) (>= K 0.0) (> T 0.0)))');
  lines.push('(assert (and (<= T P1) (<= P1 P7) (<= P7 P30) (<= P30 P)))');
  return lines;
}

// Moments: the quarters of an hour of the next 400 days, and what is true in each.

const clocks = new Map();

function clock(zone) {
  if (!clocks.has(zone)) {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' });
    const known = new Map();
    clocks.set(zone, (time) => {
      if (!known.has(time)) {
        const parts = format.formatToParts(time);
        const of = (type) => parts.find((part) => part.type === type).value;
        known.set(time, { day: of('weekday').toUpperCase(), hour: Number(of('hour')) });
      }
      return known.get(time);
    });
  }
  return clocks.get(zone);
}

function isAt({ hours, daysOfWeek }, time) {
  const { day, hour } = clock(hours?.tz ?? 'UTC')(time);
  const isDay = daysOfWeek == null || daysOfWeek.includes(day);
  const isHour =
    hours == null || (hours.start < hours.end ? hour >= hours.start && hour < hours.end : hour >= hours.start || hour < hours.end);
  return isDay && isHour;
}

const isTimed = (rule) => rule.when?.hours != null || rule.when?.daysOfWeek != null;

/** What may be true at once of the rules with hours or days and of the approvals: rows of one bit each. */
function moments(now, rules, approvals) {
  if (rules.length + approvals.length === 0) return [''];
  const rows = new Set();
  for (let time = now; time < now + 400 * DAY; time += QUARTER) {
    const bits = rules.map((rule) => isAt(rule.when, time));
    approvals.forEach((approval) => bits.push(time < Date.parse(approval.until)));
    rows.add(bits.map((bit) => (bit ? 1 : 0)).join(''));
    const isOver = approvals.every((approval) => time >= Date.parse(approval.until));
    if (rules.length === 0 && isOver) break;
  }
  return [...rows];
}

// Decisions

/** Whether a list that may be absent has the action, the sleeve or the symbol. */
function isCovered(scope, symbol, sleeve, isBuy) {
  const parts = [];
  if (scope?.actions != null) parts.push(or(...scope.actions.map((action) => (action === 'buy' ? isBuy : not(isBuy)))));
  if (scope?.assetTypes != null) parts.push(or(...scope.assetTypes.map((type) => (type === 'crypto' ? sleeve : not(sleeve)))));
  if (scope?.symbols != null) parts.push(String(scope.symbols.includes(symbol)));
  return and(...parts);
}

function named(policy) {
  const names = new Set((policy.assetAuthority?.assets ?? []).map((level) => level.symbol));
  for (const rule of policy.standingRules ?? []) (rule.when?.symbols ?? []).forEach((symbol) => names.add(symbol));
  for (const limit of policy.limits ?? []) (limit.scope?.symbols ?? []).forEach((symbol) => names.add(symbol));
  return names;
}

/** The sleeve in which standing rules list a symbol. */
function listed(policy, symbol) {
  const sleeves = (policy.standingRules ?? [])
    .filter((rule) => rule.when?.symbols?.includes(symbol) && rule.when.assetTypes?.length === 1)
    .map((rule) => rule.when.assetTypes[0]);
  return sleeves.includes('crypto') ? 'crypto' : sleeves[0];
}

/** Where a symbol that is not known by itself is one of a crypto symbol: it is held as one, or named and not known otherwise. */
function isCryptoSymbol(policy, asset) {
  const isKnownElsewhere = listed(policy, asset) === 'tradfi';
  const isNamed = named(policy).has(asset) && !isKnownElsewhere;
  return or(and(isHeld(asset), isCrypto(asset)), and(not(isHeld(asset)), String(isNamed || listed(policy, asset) === 'crypto')));
}

/** Whether a policy allows the trade of a sent symbol. */
function allowed(policy, side, sent) {
  if (sent.kind === 'asset') return allowedAs(policy, side, sent.symbol, sent.symbol);
  const isOfCrypto = isCryptoSymbol(policy, sent.of);
  const asItself = and(not(isOfCrypto), allowedAs(policy, side, sent.symbol, null));
  return sent.kind === 'derivative'
    ? asItself
    : or(asItself, and(isOfCrypto, allowedAs(policy, side, sent.of, sent.of)));
}

/**
 * @param symbol for which the trade is taken
 * @param asset of the portfolio; null if it cannot be held
 */
function allowedAs(policy, side, symbol, asset) {
  const sleeve = 'said_crypto';
  const isKnown = asset != null && asset in DIRECTORY;
  const isHolding = asset == null ? 'false' : isKnown ? 'true' : isHeld(asset);
  const mine = asset == null ? '0.0' : held(asset);
  const list = listed(policy, symbol);
  const blocks = [];
  if (policy.paused) return 'false';
  // The sleeve
  if (isKnown) {
    blocks.push(`(distinct ${sleeve} ${isCrypto(asset)})`);
  } else {
    if (asset != null) blocks.push(and(isHolding, `(distinct ${sleeve} ${isCrypto(asset)})`));
    if (list != null) blocks.push(and(not(isHolding), list === 'crypto' ? not(sleeve) : sleeve));
    else if (policy.unknownAssets === 'block') blocks.push(not(isHolding));
  }
  // Actions, bands, cash, drawdown, slippage
  const actions = policy.allowedActions ?? ['buy', 'sell'];
  blocks.push(and('buy', String(!actions.includes('buy'))), and(not('buy'), String(!actions.includes('sell'))));
  blocks.push(and(not('buy'), above('a', mine)));
  for (const type of ['crypto', 'tradfi']) {
    const isOf = type === 'crypto' ? sleeve : not(sleeve);
    blocks.push(and('buy', isOf, above(`(- (+ ${type} a) b)`, times(number(policy[type].max), 'after'))));
    blocks.push(and(not('buy'), isOf, below(`(- ${type} a)`, times(number(policy[type].min), 'after'))));
  }
  blocks.push(and('buy', above('a', 'K')));
  blocks.push(and('buy', below('(- K a)', times(number(policy.cashFloor), 'after'))));
  const isBeyond = (total) => below(total, times(less(policy.maxDrawdown), 'P'));
  blocks.push(and(isBeyond('after'), or('buy', not(isBeyond('T')))));
  blocks.push(above('b', times(number(policy.maxSlippage), 'a')));
  // Authority
  const levels = Object.fromEntries((policy.assetAuthority?.assets ?? []).map((level) => [level.symbol, level.level]));
  const level = levels[symbol] ?? policy.assetAuthority?.default ?? 'full';
  if (level === 'monitor') return 'false';
  if (level === 'protect') blocks.push(not('buy'));
  // Standing rules and limits
  const unapproved = (item) =>
    item.effect === 'require_approval'
      ? not(or(...(policy.approvals ?? []).map((approval, i) => covers(approval, `${side}_approval_${i}`, item.id, symbol))))
      : 'true';
  (policy.standingRules ?? []).forEach((rule, i) => {
    const parts = [isCovered(rule.when, symbol, sleeve, 'buy'), unapproved(rule)];
    if (rule.when?.amountUsdAbove != null) parts.push(above('a', number(rule.when.amountUsdAbove)));
    if (isTimed(rule)) parts.push(`${side}_rule_${i}`);
    blocks.push(and(...parts));
  });
  for (const limit of policy.limits ?? []) {
    blocks.push(and(isCovered(limit.scope, symbol, sleeve, 'buy'), unapproved(limit), passes(limit, mine)));
  }
  return not(or(...blocks));
}

function covers(approval, inForce, id, symbol) {
  if (approval.ruleId !== id || (approval.symbol != null && approval.symbol !== symbol)) return 'false';
  const parts = [inForce];
  if (approval.agentKeyId != null) parts.push(key(approval.agentKeyId));
  if (approval.action != null) parts.push(approval.action === 'buy' ? 'buy' : not('buy'));
  if (approval.maxAmountUsd != null) parts.push(`(<= a ${number(approval.maxAmountUsd)})`);
  return and(...parts);
}

const key = (id) => `key_${id.replaceAll('-', '')}`;

function passes(limit, mine) {
  if (limit.kind === 'flow') {
    const parts = [];
    if (limit.maxUsd != null) parts.push(above(`(+ ${usd(limit)} a)`, number(limit.maxUsd)));
    if (limit.maxTrades != null) parts.push(above(`(+ ${trades(limit)} 1)`, limit.maxTrades));
    return or(...parts);
  }
  if (limit.kind === 'loss') return and('buy', below('after', times(less(limit.max), `P${limit.windowDays}`)));
  const counted = limit.perAsset
    ? [mine]
    : ASSETS.map((asset) => when(isCovered({ ...limit.scope, actions: null }, asset, isCrypto(asset), 'true'), held(asset)));
  return and('buy', above(`(- (+ ${sum(counted)} a) b)`, times(number(limit.max), 'after')));
}

// What a flow has counted, by its form. A comparison knows one count for the asset of the trade, whatever a policy calls it.

const forms = [];

function form(limit) {
  const sorted = (list) => (list == null ? null : [...list].sort());
  const { actions, assetTypes, symbols } = limit.scope ?? {};
  const text = JSON.stringify([sorted(actions), sorted(assetTypes), sorted(symbols), limit.windowMinutes, limit.per ?? 'account']);
  if (!forms.includes(text)) forms.push(text);
  return forms.indexOf(text);
}

const usd = (limit) => `usd_${form(limit)}`;
const trades = (limit) => `trades_${form(limit)}`;

/** A trade that one policy blocks and the other one allows. */
function question(now, blocking, allowing) {
  forms.length = 0;
  const sides = { p: blocking, q: allowing };
  const differ = SENT.map((sent) => and(allowed(allowing, 'q', sent), not(allowed(blocking, 'p', sent))));
  const timed = [];
  const approvals = [];
  for (const [side, policy] of Object.entries(sides)) {
    (policy.standingRules ?? []).forEach((rule, i) => isTimed(rule) && timed.push({ name: `${side}_rule_${i}`, rule }));
    (policy.approvals ?? []).forEach((approval, i) => approvals.push({ name: `${side}_approval_${i}`, approval }));
  }
  const names = [...timed, ...approvals].map((item) => item.name);
  const rows = moments(now, timed.map((item) => item.rule), approvals.map((item) => item.approval));
  const lines = declarations();
  names.forEach((name) => lines.push(`(declare-const ${name} Bool)`));
  if (names.length > 0) {
    lines.push(`(assert ${or(...rows.map((row) => and(...names.map((name, i) => (row[i] === '1' ? name : not(name))))))})`);
  }
  const keys = [...new Set(approvals.map((item) => item.approval.agentKeyId).filter((id) => id != null))];
  keys.forEach((id) => lines.push(`(declare-const ${key(id)} Bool)`));
  keys.forEach((id, i) => keys.slice(i + 1).forEach((other) => lines.push(`(assert (not (and ${key(id)} ${key(other)})))`)));
  forms.forEach((_, i) => {
    lines.push(`(declare-const usd_${i} Real)`, `(declare-const trades_${i} Int)`);
    lines.push(`(assert (and (>= usd_${i} 0.0) (>= trades_${i} 0) (=> (= trades_${i} 0) (= usd_${i} 0.0))))`);
  });
  lines.push(`(assert ${or(...differ)})`);
  return lines.join('\n');
}

const { Z3 } = await init();
const [pairs, answers] = process.argv.slice(2);
const lines = [];
for (const line of readFileSync(pairs, 'utf8').split('\n').filter((text) => text !== '')) {
  const { now, from, to } = JSON.parse(line);
  const exists = async (blocking, allowing) => {
    const context = Z3.mk_context(Z3.mk_config());
    const solver = Z3.mk_solver(context);
    Z3.solver_inc_ref(context, solver);
    const parameters = Z3.mk_params(context);
    Z3.params_inc_ref(context, parameters);
    Z3.params_set_uint(context, parameters, Z3.mk_string_symbol(context, 'timeout'), TIMEOUT_MS);
    Z3.solver_set_params(context, solver, parameters);
    Z3.solver_from_string(context, solver, question(Date.parse(now), blocking, allowing));
    const answer = await Z3.solver_check(context, solver);
    Z3.del_context(context);
    return answer === UNDECIDED ? null : answer > UNDECIDED;
  };
  lines.push(JSON.stringify({ looser: await exists(from, to), tighter: await exists(to, from) }));
}
writeFileSync(answers, `${lines.join('\n')}\n`);
process.exit(0);
