package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.UNFILLED_TRADES_KEEP_BANDS_TOGETHER;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Checks at every acceptance that all unfilled trades together keep the bands and the floor. */
final class UnfilledTradeInvariants {
    private final FirstViolation firstViolation;
    private final Map<Object, Map<Long, Trade>> flying = new HashMap<>();

    UnfilledTradeInvariants(FirstViolation firstViolation) {
        this.firstViolation = firstViolation;
    }

    void committed(ObservedCommit commit, Account before) {
        for (ServiceRequest request : commit.outcome().requests()) {
            Trade trade = request.proposal().trade();
            Map<Long, Trade> others = flying.computeIfAbsent(commit.user(), it -> new TreeMap<>());
            if (request instanceof Pending pending && pending.isAccepted()) {
                others.put(request.id(), trade);
                accepted(trade, List.copyOf(others.values()), before);
            } else {
                others.remove(request.id());
            }
        }
    }

    /**
     * There is no slippage in the simulation, so a trade moves value between cash and a sleeve and the total stays the
     * same. The floor blocks only trades that lower cash; a buy of 0 does not.
     */
    private void accepted(Trade trade, List<Trade> all, Account account) {
        Ips ips = Objects.requireNonNull(account.ips()).ips();
        Snapshot now = Objects.requireNonNull(account.portfolio()).snapshot().orElseThrow();
        AssetType type = trade.assetType();
        Usd sleeve = type == AssetType.CRYPTO ? now.crypto() : now.tradfi();
        Usd cash = now.cash();
        for (Trade one : all) {
            Usd amount = one.isBuy() ? one.amount() : Usd.ZERO.minus(one.amount());
            cash = cash.minus(amount);
            sleeve = one.assetType() == type ? sleeve.plus(amount) : sleeve;
        }
        Usd most = now.total().times(ips.band(type).max());
        Usd least = now.total().times(ips.band(type).min());
        boolean isCashLeft =
                trade.amount().isZero() || !cash.isBelow(now.total().times(ips.cashFloor()));
        boolean fits = trade.isBuy() ? !sleeve.isAbove(most) && isCashLeft : !sleeve.isBelow(least);
        firstViolation.require(fits, UNFILLED_TRADES_KEEP_BANDS_TOGETHER, "sleeve and cash after", sleeve, cash, all);
    }
}
