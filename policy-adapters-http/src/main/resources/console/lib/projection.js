/** Projects a portfolio after a trade, for the picture of a request. The service decides; this only draws. */

/** The snapshot after a trade (docs/reference/rules.md): a buy costs cash, and slippage is lost on the way. */
export function projected(snapshot, trade) {
  if (!snapshot || !trade) return undefined;
  const lost = trade.amountUsd * (trade.expectedSlippagePct ?? 0) / 100;
  const gained = trade.amountUsd - lost;
  const isBuy = trade.action === 'buy';
  const values = { crypto: snapshot.cryptoValue, tradfi: snapshot.tradfiValue };
  values[trade.assetType] += isBuy ? gained : -trade.amountUsd;
  const cash = snapshot.cashValue + (isBuy ? -trade.amountUsd : gained);
  const total = snapshot.totalValue - lost;
  const peak = snapshot.totalValue / (1 - snapshot.currentDrawdownPct);
  return {
    totalValue: total,
    cryptoValue: values.crypto, tradfiValue: values.tradfi, cashValue: cash,
    cryptoPct: values.crypto / total, tradfiPct: values.tradfi / total, cashPct: cash / total,
    currentDrawdownPct: Math.max(0, 1 - total / peak),
  };
}
