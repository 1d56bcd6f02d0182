package dev.agentpolicy.app.custodian;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CustodianRouterTest {
    private static final UserId USER = new UserId(new UUID(1, 2));

    private final CustodianRouter router = router(
            Map.of(CustodianKind.PAPER, new Named("paper"), CustodianKind.ALPACA, new Named("alpaca")),
            Optional.empty());

    /** A custodian that answers with its name. */
    private record Named(String name) implements Custodian {
        @Override
        public ReferencePrice price(Order wanted, Fraction slippage) {
            throw CustodianFailure.away(name + " prices");
        }

        @Override
        public OrderReport place(Order order) {
            throw CustodianFailure.away(name + " places");
        }

        @Override
        public OrderReport cancel(Order order) {
            throw CustodianFailure.away(name + " cancels");
        }

        @Override
        public CustodianReport sync(SyncQuery query) {
            throw CustodianFailure.away(name + " syncs");
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
                null,
                Usd.of(1_000_000));

        SyncQuery query = new SyncQuery(USER, "mine", "Mine", kind, 0, Instant.EPOCH, List.of());
        assertThatThrownBy(() -> router.place(order)).hasMessage(kind.wireName() + " places");
        assertThatThrownBy(() -> router.cancel(order)).hasMessage(kind.wireName() + " cancels");
        assertThatThrownBy(() -> router.sync(query)).hasMessage(kind.wireName() + " syncs");
    }

    @Test
    void every_kind_needs_a_custodian() {
        assertThatThrownBy(() -> router(Map.of(CustodianKind.PAPER, new Named("paper")), Optional.empty()))
                .hasMessage("There is no custodian of kind alpaca.");
    }

    @Test
    void nobody_is_asked_while_answers_could_not_be_recorded() {
        CustodianRouter stopped = router(
                Map.of(CustodianKind.PAPER, new Named("paper"), CustodianKind.ALPACA, new Named("alpaca")),
                Optional.of("The clock is wrong."));

        assertThatThrownBy(() -> stopped.delete(USER, "mine"))
                .isInstanceOf(Unavailable.class)
                .hasMessage("The clock is wrong.");
        assertThatThrownBy(() -> stopped.sync(
                        new SyncQuery(USER, "mine", "Mine", CustodianKind.PAPER, 0, Instant.EPOCH, List.of())))
                .isInstanceOf(Unavailable.class);
    }

    private static CustodianRouter router(Map<CustodianKind, Custodian> custodians, Optional<String> stop) {
        PaperCustodian papers = new PaperCustodian(new InMemoryPaperBooks(), InstantSource.system());
        return new CustodianRouter(custodians, papers, () -> stop);
    }
}
