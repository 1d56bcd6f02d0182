/** Policy templates. Each is a complete IPS document that can be changed before it is saved. */

const sameTwice = (windowMinutes) => ({ id: 'same-twice', kind: 'flow', effect: 'block', scope: {}, windowMinutes, maxTrades: 1, per: 'asset' });
const aDay = (maxUsd) => ({ id: 'day', kind: 'flow', effect: 'block', scope: {}, windowMinutes: 1440, maxUsd, per: 'account' });
const oneCoin = (max) => ({ id: 'one-coin', kind: 'position', effect: 'block', scope: { assetTypes: ['crypto'] }, max, perAsset: true });
const dayLoss = (max) => ({ id: 'day-loss', kind: 'loss', effect: 'block', scope: {}, windowDays: 1, max });

const CAREFUL = [oneCoin(0.03), aDay(2000), sameTwice(60), dayLoss(0.02)];
const BALANCED = [oneCoin(0.25), aDay(10000), sameTwice(10), dayLoss(0.05)];
const FREE = [sameTwice(1), dayLoss(0.15)];

/** Limits to begin with. */
export const LIMIT_TEMPLATES = [
  { name: 'Careful', words: 'Small amounts, few of one coin, an early stop.', limits: CAREFUL },
  { name: 'Balanced', words: 'Room to work, no haste.', limits: BALANCED },
  { name: 'Free', words: 'Only against repeats and a bad day.', limits: FREE },
];

const template = (name, words, tier, crypto, tradfi, cashFloor, maxDrawdown, maxSlippage, limits) => ({
  name,
  words,
  document: {
    crypto: { min: crypto[0], target: crypto[1], max: crypto[2] },
    tradfi: { min: tradfi[0], target: tradfi[1], max: tradfi[2] },
    cashFloor, maxDrawdown, maxSlippage,
    allowedActions: ['buy', 'sell'],
    assetAuthority: { default: 'full', assets: {} },
    standingRules: [],
    limits,
    unknownAssets: 'block',
    tier,
  },
});

export const TEMPLATES = [
  template('Conservative', 'Preserve value: little crypto, much cash.', 1, [0, 0.02, 0.05], [0.5, 0.73, 0.85], 0.15, 0.1, 0.005, CAREFUL),
  template('Balanced', 'Mostly traditional, some crypto.', 3, [0, 0.1, 0.2], [0.5, 0.75, 0.85], 0.1, 0.2, 0.01, BALANCED),
  template('Growth', 'More crypto, and room to move.', 4, [0.1, 0.2, 0.35], [0.45, 0.7, 0.8], 0.05, 0.25, 0.01, BALANCED),
  template('Aggressive', 'Crypto first. Large swings are accepted.', 5, [0.3, 0.5, 0.7], [0.15, 0.4, 0.6], 0.03, 0.4, 0.02, FREE),
];
