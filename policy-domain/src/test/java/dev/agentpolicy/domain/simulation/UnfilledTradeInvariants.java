package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.UNFILLED_TRADES_KEEP_BANDS_TOGETHER;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.LimitKind;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/** Checks at every acceptance that all unfilled trades together keep the bands, the floor and the positions. */
final class UnfilledTradeInvariants {
    private final FirstViolation firstViolation;
    private final Map<Object, Map<Long, Flying>> flying = new HashMap<>();

    UnfilledTradeInvariants(FirstViolation firstViolation) {
        this.firstViolation = firstViolation;
    }

    /** An order under way, and what recorded fills have left of it. */
    private record Flying(String clientOrderId, Action action, AssetSymbol symbol, AssetType type, Usd rest) {

        static Flying of(Trade trade, OrderAttempt order) {
            PriceBound bound = order.bound();
            BigDecimal units = bound == null ? null : bound.quantity();
            BigDecimal rest = units == null
                    ? trade.amount().minus(order.filledUsd()).value()
                    : trade.amount()
                            .value()
                            .multiply(units.subtract(order.quantity()))
                            .divide(units, 8, RoundingMode.UP);
            return new Flying(
                    order.clientOrderId(),
                    trade.action(),
                    trade.asset(),
                    trade.assetType(),
                    new Usd(rest).max(Usd.ZERO));
        }

        Usd added() {
            return action == Action.BUY ? rest : Usd.ZERO.minus(rest);
        }
    }

    void committed(ObservedCommit commit, Account before) {
        Map<Long, Flying> others = flying.computeIfAbsent(commit.user(), it -> new TreeMap<>());
        for (ServiceRequest request : commit.outcome().requests()) {
            Trade trade = request.proposal().trade();
            if (!(request instanceof Pending pending) || !pending.isAccepted()) {
                others.remove(request.id());
            } else {
                boolean isAccepted = isNew(pending, others.put(request.id(), Flying.of(trade, pending.order())));
                if (isAccepted) {
                    accepted(trade, List.copyOf(others.values()), before);
                }
            }
        }
    }

    private static boolean isNew(Pending pending, Flying known) {
        return known == null || !known.clientOrderId().equals(pending.order().clientOrderId());
    }

    /**
     * There is no slippage in the simulation, so a trade moves value between cash and a sleeve and the total stays the
     * same. The floor blocks only trades that lower cash; a buy of 0 does not.
     */
    private void accepted(Trade trade, List<Flying> all, Account account) {
        Ips ips = Objects.requireNonNull(account.ips()).ips();
        AssetType type = trade.assetType();
        Usd total = Usd.ZERO;
        Usd sleeve = Usd.ZERO;
        Usd cash = Usd.ZERO;
        List<Flying> moving = new ArrayList<>(all);
        for (CustodianHoldings holdings :
                Objects.requireNonNull(account.portfolio()).custodians()) {
            total = total.plus(holdings.total());
            cash = cash.plus(holdings.cash());
            for (Position position : holdings.positions()) {
                sleeve = position.assetType() == type ? sleeve.plus(position.marketValue()) : sleeve;
            }
            for (OpenOrder order : holdings.openOrders()) {
                if (!order.clientOrderId().startsWith("request-")) {
                    moving.add(new Flying(
                            order.clientOrderId(), order.action(), order.symbol(), order.assetType(), order.rest()));
                }
            }
        }
        for (Flying one : moving) {
            cash = cash.minus(one.added());
            sleeve = one.type() == type ? sleeve.plus(one.added()) : sleeve;
        }
        Usd most = total.times(ips.band(type).max());
        Usd least = total.times(ips.band(type).min());
        boolean isCashLeft = trade.amount().isZero() || !cash.isBelow(total.times(ips.cashFloor()));
        boolean fits = trade.isBuy() ? !sleeve.isAbove(most) && isCashLeft : !sleeve.isBelow(least);
        firstViolation.require(
                fits, UNFILLED_TRADES_KEEP_BANDS_TOGETHER, "sleeve and cash after", sleeve, cash, total, moving);
        for (Limit limit : ips.limits()) {
            if (trade.isBuy() && limit.kind() == LimitKind.POSITION && limit.holds(trade)) {
                Usd held = held(limit, trade.asset(), account.portfolio(), moving);
                firstViolation.require(
                        !held.isAbove(total.times(limit.most())),
                        UNFILLED_TRADES_KEEP_BANDS_TOGETHER,
                        "position after",
                        limit,
                        held,
                        total,
                        moving);
            }
        }
    }

    /** The value of the assets of a limit once everything is filled. */
    private static Usd held(Limit limit, AssetSymbol traded, Portfolio portfolio, List<Flying> moving) {
        BiPredicate<AssetSymbol, AssetType> isMeant = (symbol, type) ->
                limit.perAsset() ? symbol.equals(traded) : limit.scope().covers(Action.BUY, symbol, type);
        Usd held = Usd.ZERO;
        for (CustodianHoldings holdings : portfolio.custodians()) {
            for (Position position : holdings.positions()) {
                boolean isOne = isMeant.test(position.symbol(), position.assetType());
                held = isOne ? held.plus(position.marketValue()) : held;
            }
        }
        for (Flying one : moving) {
            held = isMeant.test(one.symbol, one.type) ? held.plus(one.added()) : held;
        }
        return held;
    }
}
