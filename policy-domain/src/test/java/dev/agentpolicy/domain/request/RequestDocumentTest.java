package dev.agentpolicy.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stored requests are read without any loss. */
class RequestDocumentTest {
    private static final Instant LATER = Instant.parse("2026-11-22T01:02:03.000004Z");
    private static final Fill FILL = new Fill(
            "broker",
            "fill-1",
            null,
            Action.BUY,
            new AssetSymbol("BTC"),
            AssetType.CRYPTO,
            new BigDecimal("0.000000000000000001"),
            Usd.of("65000.01234567"),
            Usd.of("999999999999.12345678"),
            LATER);

    static Stream<ServiceRequest> requests() {
        Pending pending = Pending.of(proposal("because \"é\uD83D\uDE00\"", "buy 100.12345678 BTC crypto 0.25%"));
        Pending plain = Pending.of(proposal(null, "sell 0 A/B.C-D_1 tradfi"));
        Pending accepted = pending.accepted("broker", CustodianKind.PAPER, Fraction.of("0.01"), LATER);
        Pending told = pending.withReceipt(new Receipt(9_007_199_254_740_991L, "0af9".repeat(16)));
        return Stream.of(
                pending,
                plain,
                told,
                accepted,
                accepted.notExecuted("The market is closed."),
                accepted.notExecuted("closed").accepted("other", CustodianKind.ALPACA, Fraction.of("0.01"), LATER),
                accepted.cancelRequested(LATER),
                accepted.held(LATER),
                accepted.with(worded(accepted), LATER),
                told.accepted("broker", CustodianKind.PAPER, Fraction.of("0.01"), LATER),
                accepted.with(filled(accepted, new OrderState.PartiallyFilled()), LATER),
                accepted.with(filled(accepted, new OrderState.Filled()), LATER),
                accepted.with(filled(accepted, new OrderState.Expired()), LATER),
                accepted.with(filled(accepted, new OrderState.Rejected("No more of \u00e9.")), LATER),
                accepted.ended(new OrderState.Rejected("Closed."), LATER),
                again(accepted).rejected("No", LATER),
                again(accepted).accepted("other", CustodianKind.ALPACA, Fraction.of("0.01"), LATER),
                again(accepted).notExecuted("No cash."),
                accepted.cancelRequested(LATER).ended(new OrderState.Cancelled(), LATER),
                plain.rejected(null, LATER),
                pending.rejected("No, \\ never", LATER));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void a_stored_request_is_read_unchanged(ServiceRequest request) {
        String stored = CanonicalForm.writeStored(RequestDocument.toStored(request));

        assertThat(RequestDocument.readStored(CanonicalForm.readStored(stored))).isEqualTo(request);
    }

    @Test
    void only_a_pending_request_under_way_and_a_completed_one_have_an_order() {
        Pending pending = Pending.of(proposal(null, "buy 1 BTC crypto"));

        assertThat(RequestDocument.toStored(pending)).containsEntry("order", null);
        assertThat(RequestDocument.toStored(pending.rejected("no", LATER))).doesNotContainKey("order");
    }

    private static OrderAttempt worded(Pending accepted) {
        String id = accepted.order().clientOrderId();
        return accepted.order()
                .reported(new OrderReport(id, "x", new OrderState.Open(), BigDecimal.ZERO, "It is for \u00e9 units."));
    }

    private static Pending again(Pending accepted) {
        return (Pending) accepted.ended(new OrderState.Expired(), LATER);
    }

    private static OrderAttempt filled(Pending accepted, OrderState state) {
        return accepted.order().plus(List.of(FILL)).in(state);
    }

    private static Proposal proposal(String rationale, String trade) {
        Decision decision = Evaluator.decide(SampleValues.circumstances(
                SampleValues.trade(trade),
                SampleValues.plainIps(),
                SampleValues.portfolio("30000.1/55000/15000 peak 110000")));
        return new Proposal(
                42,
                new UserId(new UUID(1, 2)),
                new AgentKeyId(new UUID(3, 4)),
                "Robot é",
                SampleValues.trade(trade),
                null,
                rationale,
                decision,
                List.of(),
                SampleValues.NOON,
                SampleValues.NOON.plus(Duration.ofDays(7)),
                null);
    }
}
