/** Policy templates. Each is a complete IPS document that can be changed before it is saved. */
const template = (name, words, tier, crypto, tradfi, cashFloor, maxDrawdown, maxSlippage) => ({
  name,
  words,
  document: {
    crypto: { min: crypto[0], target: crypto[1], max: crypto[2] },
    tradfi: { min: tradfi[0], target: tradfi[1], max: tradfi[2] },
    cashFloor, maxDrawdown, maxSlippage,
    allowedActions: ['buy', 'sell'],
    assetAuthority: { default: 'full', assets: {} },
    standingRules: [],
    unknownAssets: 'block',
    tier,
  },
});

export const TEMPLATES = [
  template('Conservative', 'Preserve value: little crypto, much cash.', 1, [0, 0.02, 0.05], [0.5, 0.73, 0.85], 0.15, 0.1, 0.005),
  template('Balanced', 'Mostly traditional, some crypto.', 3, [0, 0.1, 0.2], [0.5, 0.75, 0.85], 0.1, 0.2, 0.01),
  template('Growth', 'More crypto, and room to move.', 4, [0.1, 0.2, 0.35], [0.45, 0.7, 0.8], 0.05, 0.25, 0.01),
  template('Aggressive', 'Crypto first. Large swings are accepted.', 5, [0.3, 0.5, 0.7], [0.15, 0.4, 0.6], 0.03, 0.4, 0.02),
];
