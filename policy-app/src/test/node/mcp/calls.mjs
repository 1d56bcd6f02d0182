// One call of each tool.

const trade = { action: "buy", assetSymbol: "SPY", assetType: "tradfi", amountUsd: 10 };

export const calls = {
  whoami: {},
  get_mandate: {},
  get_holdings: {},
  get_headroom: { action: "buy", assetSymbol: "SPY", assetType: "tradfi" },
  validate_trade: trade,
  validate_trades: { trades: [trade, { ...trade, amountUsd: 1e9 }] },
  propose_trade: { ...trade, rationale: "A try.", idempotencyKey: "once" },
  get_audit: { limit: 2, allowed: true },
  get_events: { limit: 2, order: "desc" },
  get_proof: { seq: 1 },
  get_usage: { days: 1 },
};
