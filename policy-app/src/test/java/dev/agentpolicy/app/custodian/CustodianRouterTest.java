package dev.agentpolicy.app.custodian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Away;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CustodianRouterTest {
    private static final UserId USER = new UserId(new UUID(1, 2));

    private final CustodianRouter router = new CustodianRouter(
            Map.of(CustodianKind.PAPER, new Named("paper"), CustodianKind.ALPACA, new Named("alpaca")));

    /** A custodian that answers with its name. */
    private record Named(String name) implements Custodian {
        @Override
        public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
            return CompletableFuture.completedFuture(new Away<>(name + " places"));
        }

        @Override
        public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
            return CompletableFuture.completedFuture(new Away<>(name + " cancels"));
        }

        @Override
        public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
            return CompletableFuture.completedFuture(new Away<>(name + " syncs"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_call_reaches_the_custodian_of_its_kind(CustodianKind kind) {
        Order order = new Order(
                "request-1",
                USER,
                "mine",
                kind,
                Action.BUY,
                new AssetSymbol("SPY"),
                AssetType.TRADFI,
                Usd.of(1),
                null,
                null);

        assertThat(router.place(order)).isCompletedWithValue(new Away<>(kind.wireName() + " places"));
        assertThat(router.cancel(order)).isCompletedWithValue(new Away<>(kind.wireName() + " cancels"));
        assertThat(router.sync(new SyncQuery(USER, "mine", "Mine", kind, 0, Instant.EPOCH, List.of())))
                .isCompletedWithValue(new Away<>(kind.wireName() + " syncs"));
    }

    @Test
    void every_kind_needs_a_custodian() {
        assertThatThrownBy(() -> new CustodianRouter(Map.of(CustodianKind.PAPER, new Named("paper"))))
                .hasMessage("There is no custodian of kind alpaca.");
    }
}
