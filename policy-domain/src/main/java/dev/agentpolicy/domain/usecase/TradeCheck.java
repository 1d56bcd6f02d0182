package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.Used;
import dev.agentpolicy.domain.decision.Circumstances;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks trades against an account that stands still. */
final class TradeCheck {

    private TradeCheck() {}

    /** A verdict, and the one thing beside it that the log must hold. */
    record Checked(Decision decision, @Nullable Usd held) {}

    static Checked check(Account account, KeyPolicy policy, Trade trade, Used used) {
        return checkAfter(List.of(), account, policy, trade, used);
    }

    /** Checks as if other trades were done already. */
    static Checked checkAfter(List<Trade> others, Account account, KeyPolicy policy, Trade trade, Used used) {
        Portfolio portfolio = account.portfolio();
        Snapshot snapshot = portfolio == null ? null : portfolio.snapshot().orElse(null);
        Usd held = portfolio == null || snapshot == null ? null : portfolio.held(trade.asset(), trade.assetType());
        for (Trade other : others) {
            snapshot = snapshot == null ? null : Projection.of(snapshot, other).after();
            held = held == null ? null : heldAfter(held, other, trade);
        }
        Circumstances circumstances =
                new Circumstances(trade, account.ips(), snapshot, held, policy, used, account.now());
        return new Checked(Evaluator.decide(circumstances), held);
    }

    private static Usd heldAfter(Usd held, Trade other, Trade trade) {
        if (!other.asset().equals(trade.asset()) || other.assetType() != trade.assetType()) {
            return held;
        }
        return other.isBuy()
                ? held.plus(other.arriving())
                : held.minus(other.amount()).max(Usd.ZERO);
    }

    /** What the caps of a key are compared with before its next decision. */
    static Used used(Account account, AgentKey key) {
        Tally tally = account.tally(key.id());
        return new Used(account.calls(key), tally.usd(), tally.aum());
    }
}
