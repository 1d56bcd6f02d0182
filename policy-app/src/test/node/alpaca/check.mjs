// Does with Alpaca's own client what the service does with its client. Fails unless the stand-in answers as that client
// and its models, which are generated from Alpaca's interface description, expect.
import assert from "node:assert/strict";
import { errors, marketData, pagination, trading } from "@alpacahq/alpaca-trade-api";

const base = process.env.BASE_URL;
const configuration = (keyId, secret) =>
  new trading.Configuration({ basePath: base, keyId, secret, timeoutMs: 10_000 });
const own = configuration(process.env.KEY_ID, process.env.SECRET_KEY);
const orders = new trading.OrdersApi(own);
const positions = new trading.PositionsApi(own);
const assets = new trading.AssetsApi(own);
const activities = new trading.AccountActivitiesApi(own);

// A model keeps members that it does not know only where it was generated so; every known one must be a known word.
function isOneOf(words, word) {
  assert.ok(Object.values(words).includes(word), `${word} is not one of ${Object.values(words)}`);
}

function isTime(value) {
  assert.ok(value instanceof Date && !Number.isNaN(value.getTime()), `${value} is not a time`);
}

function isDecimal(text) {
  assert.match(text, /^-?\d+(\.\d+)?$/);
}

function isOrder(order) {
  assert.ok(trading.instanceOfOrder(order));
  isOneOf(trading.OrderStatus, order.status);
  isOneOf(trading.OrderSide, order.side);
  isOneOf(trading.OrderType, order.type);
  isOneOf(trading.TimeInForce, order.timeInForce);
  isOneOf(trading.AssetClass, order.assetClass);
  isTime(order.submittedAt);
  isTime(order.createdAt);
  isDecimal(order.filledQty);
  assert.equal(typeof order.id, "string");
  assert.equal(typeof order.assetId, "string");
}

async function refused(call, type, status, message) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof type, `${error} is not a ${type.name}`);
    assert.equal(error.status, status);
    assert.match(error.message, message);
    assert.equal(typeof error.code, "number");
    return true;
  });
}

const place = (symbol, side, qty, limitPrice, clientOrderId) =>
  orders.postOrder({
    postOrderRequest: {
      symbol,
      side,
      qty,
      limitPrice,
      clientOrderId,
      type: "limit",
      timeInForce: symbol.includes("/") ? "gtc" : "day",
    },
  });

// Account
const account = await new trading.AccountsApi(own).getAccount();
assert.ok(trading.instanceOfAccount(account));
isOneOf(trading.AccountStatus, account.status);
isTime(account.createdAt);
[account.cash, account.equity, account.buyingPower].forEach(isDecimal);
assert.equal(account.tradingBlocked, false);
console.log("account  ", account.cash);

// Clock
const clock = await new trading.ClockApi(own).legacyClock();
assert.ok(trading.instanceOfLegacyClock(clock));
[clock.timestamp, clock.nextOpen, clock.nextClose].forEach(isTime);
assert.equal(clock.isOpen, true);
console.log("clock    ", clock.isOpen);

// Assets
const all = await assets.getV2Assets({ status: "active" });
for (const asset of all) {
  assert.ok(trading.instanceOfAssets(asset));
  isOneOf(trading.AssetClass, asset._class);
  isOneOf(trading.Exchange, asset.exchange);
}
for (const symbolOrAssetId of ["BTC/USD", "BTCUSD"]) {
  const coin = await assets.getV2AssetsSymbolOrAssetId({ symbolOrAssetId });
  assert.equal(coin.symbol, "BTC/USD");
  [coin.priceIncrement, coin.minTradeIncrement, coin.minOrderSize].forEach(isDecimal);
}
await refused(
  assets.getV2AssetsSymbolOrAssetId({ symbolOrAssetId: "NOPE" }), errors.NotFoundError, 404, /asset not found/);
console.log("assets   ", all.map((asset) => asset.symbol).join(" "));

// Market data: the latest quotes and trades, of shares and coins; what is not known is left out
const data = new marketData.Configuration({
  basePath: base, keyId: process.env.KEY_ID, secret: process.env.SECRET_KEY, timeoutMs: 10_000,
});
const stocks = new marketData.StockApi(data);
const coins = new marketData.CryptoApi(data);
const us = marketData.CryptoHistoricalLoc.Us;
const quotes = {
  ...(await stocks.stockLatestQuotes({ symbols: "SPY,NOPE" })).quotes,
  ...(await coins.cryptoLatestQuotes({ loc: us, symbols: "BTC/USD" })).quotes,
};
const trades = {
  ...(await stocks.stockLatestTrades({ symbols: "SPY,NOPE" })).trades,
  ...(await coins.cryptoLatestTrades({ loc: us, symbols: "BTC/USD" })).trades,
};
assert.deepEqual(Object.keys(quotes), ["SPY", "BTC/USD"]);
assert.deepEqual(Object.keys(trades), ["SPY", "BTC/USD"]);
assert.ok(marketData.instanceOfStockQuote(quotes.SPY) && marketData.instanceOfStockTrade(trades.SPY));
assert.ok(marketData.instanceOfCryptoQuote(quotes["BTC/USD"]) && marketData.instanceOfCryptoTrade(trades["BTC/USD"]));
for (const latest of [...Object.values(quotes), ...Object.values(trades)]) {
  isTime(latest.t);
}
assert.deepEqual([quotes.SPY.bp, quotes.SPY.ap, trades.SPY.p], [499.5, 500.5, 500]);
console.log("quotes   ", quotes.SPY.bp, quotes.SPY.ap);

// Orders: unknown, placed, found by both ids, placed again, not affordable, of an unknown asset, between two steps
await refused(
  orders.getOrderByClientOrderId({ clientOrderId: "sdk-1" }), errors.NotFoundError, 404, /order not found/);
const placed = await place("BTC/USD", "buy", "0.0024", "50500", "sdk-1");
isOrder(placed);
assert.equal(placed.status, "pending_new");
const found = await orders.getOrderByClientOrderId({ clientOrderId: "sdk-1" });
isOrder(found);
assert.equal(found.id, placed.id);
assert.equal(found.status, "filled");
assert.equal(found.type, "limit");
assert.deepEqual([found.qty, found.limitPrice], ["0.0024", "50500"]);
assert.equal(found.notional, null);
isDecimal(found.filledAvgPrice);
assert.ok(Number(found.filledAvgPrice) <= Number(found.limitPrice));
isTime(found.filledAt);
assert.equal((await orders.getOrderByOrderID({ orderId: placed.id })).clientOrderId, "sdk-1");
const spy = (side, qty, limitPrice, id) => place("SPY", side, qty, limitPrice, id);
await refused(
  place("BTC/USD", "buy", "0.01", "50500", "sdk-1"), errors.ValidationError, 422, /client_order_id must be unique/);
await refused(spy("buy", "2000", "505", "sdk-2"), errors.PermissionError, 403, /insufficient buying power/);
await refused(spy("sell", "1", "495", "sdk-3"), errors.PermissionError, 403, /insufficient qty available/);
await refused(place("NOPE", "buy", "1", "10", "sdk-4"), errors.ValidationError, 422, /not found/);
await refused(spy("buy", "1", "505.001", "sdk-5"), errors.ValidationError, 422, /sub-penny/);
await refused(spy("buy", "0.0000000001", "505", "sdk-5"), errors.ValidationError, 422, /9 decimal places/);
console.log("order    ", found.status, found.filledQty);

// Positions
const held = await positions.getAllOpenPositions();
for (const position of held) {
  assert.ok(trading.instanceOfPosition(position));
  isOneOf(trading.AssetClass, position.assetClass);
  isOneOf(trading.ExchangeForPosition, position.exchange);
  [position.qty, position.qtyAvailable, position.currentPrice, position.marketValue].forEach(isDecimal);
}
assert.deepEqual(held.map((position) => position.symbol), ["BTCUSD"]);
console.log("positions", held[0].symbol, held[0].qty);

// Fills, two on a page
await spy("buy", "0.02", "505", "sdk-6");
await spy("sell", "0.02", "495", "sdk-7");
const byPage = await pagination.collectCursor({
  fetchPage: (pageToken) =>
    activities.getAccountActivitiesByActivityType({
      activityType: "FILL", direction: "asc", pageSize: 2, pageToken,
    }),
  pageSize: 2,
  getCursor: (fill) => fill.id,
});
// The client reads every activity of this call as one that is no trade, so that the model of trades is applied here.
const answered = await activities.getAccountActivitiesByActivityTypeRaw({ activityType: "FILL", direction: "desc" });
const fills = (await answered.raw.json()).map(trading.TradingActivitiesFromJSON);
for (const fill of fills) {
  assert.equal(fill.activityType, "FILL");
  isOneOf(trading.OrderStatus, fill.orderStatus);
  isOneOf(trading.TradingActivitiesTypeEnum, fill.type);
  isTime(fill.transactionTime);
  [fill.price, fill.qty, fill.cumQty, fill.leavesQty].forEach(isDecimal);
  assert.match(fill.id, /^\d{17}::[0-9a-f-]{36}$/);
}
assert.equal(fills.length, 3);
assert.deepEqual(byPage.map((fill) => fill.id), fills.map((fill) => fill.id).reverse());
assert.ok(fills.some((fill) => fill.orderId === placed.id));
console.log("fills    ", fills.length);

// Cancel: an order whose bound the price does not reach, one that is over, one that is not known
const beyond = await spy("buy", "1", "400", "sdk-8");
const open = await orders.getAllOrders({ status: "open", limit: 500 });
open.forEach(isOrder);
assert.deepEqual(open.map((order) => [order.clientOrderId, order.status]), [["sdk-8", "new"]]);
await orders.deleteOrderByOrderID({ orderId: beyond.id });
const cancelled = await orders.getOrderByOrderID({ orderId: beyond.id });
assert.deepEqual([cancelled.status, cancelled.filledQty], ["canceled", "0"]);
isTime(cancelled.canceledAt);
await refused(orders.deleteOrderByOrderID({ orderId: beyond.id }), errors.ValidationError, 422, /already in/);
await refused(orders.deleteOrderByOrderID({ orderId: "unknown" }), errors.NotFoundError, 404, /order not found/);
console.log("cancel   ", cancelled.clientOrderId);

// Wrong credentials, and too many calls
const stranger = new trading.AccountsApi(configuration("PKnobody", "wrong"));
await refused(stranger.getAccount(), errors.AuthError, 401, /not authorized/);
const limited = new trading.AccountsApi(configuration(process.env.LIMITED_KEY_ID, process.env.LIMITED_SECRET_KEY));
await limited.getAccount();
await assert.rejects(limited.getAccount(), (error) => {
  assert.ok(error instanceof errors.RateLimitError);
  assert.equal(error.rateLimit.limit, 1);
  assert.equal(error.rateLimit.remaining, 0);
  isTime(error.rateLimit.reset);
  return true;
});
console.log("refused   401 429");
