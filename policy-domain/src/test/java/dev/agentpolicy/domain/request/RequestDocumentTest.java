package dev.agentpolicy.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderResult.Filled;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.SampleValues;
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

/** Stored requests and order results are read without any loss. */
class RequestDocumentTest {
    private static final Instant LATER = Instant.parse("2026-11-22T01:02:03.000004Z");
    private static final Execution EXECUTION = new Execution(
            "broker",
            "fill-1",
            new BigDecimal("0.000000000000000001"),
            Usd.of("65000.01234567"),
            Usd.of("999999999999.12345678"),
            LATER);

    static Stream<ServiceRequest> requests() {
        Pending pending = Pending.of(proposal("because \"é\uD83D\uDE00\"", "buy 100.12345678 BTC crypto 0.25%"));
        Pending plain = Pending.of(proposal(null, "sell 0 A/B.C-D_1 tradfi"));
        Pending accepted = pending.accepted("broker", LATER);
        Pending told = pending.withReceipt(new Receipt(9_007_199_254_740_991L, "0af9".repeat(16)));
        return Stream.of(
                pending,
                plain,
                told,
                told.accepted("broker", LATER).completed(EXECUTION, LATER),
                accepted,
                accepted.notExecuted("The market is closed."),
                accepted.notExecuted("closed").accepted("other", LATER),
                accepted.completed(EXECUTION, LATER),
                plain.rejected(null, LATER),
                pending.rejected("No, \\ never", LATER));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void a_stored_request_is_read_unchanged(ServiceRequest request) {
        String stored = CanonicalForm.writeStored(RequestDocument.toStored(request));

        assertThat(RequestDocument.readStored(new Stored(CanonicalForm.readStored(stored))))
                .isEqualTo(request);
    }

    static Stream<OrderResult> settlements() {
        Position position =
                new Position(new AssetSymbol("BTC"), AssetType.CRYPTO, new BigDecimal("0.1"), Usd.of("3.00000001"));
        CustodianHoldings held = new CustodianHoldings(
                "broker",
                "Broker é",
                CustodianHoldings.CustodianKind.PAPER,
                LATER,
                7,
                Usd.of("0.00000001"),
                List.of(position));
        CustodianHoldings empty = new CustodianHoldings(
                "b", "B", CustodianHoldings.CustodianKind.PAPER, LATER, Long.MAX_VALUE / 1024, Usd.ZERO, List.of());
        return Stream.of(
                new Filled(EXECUTION, held), new Filled(EXECUTION, empty), new NotFilled("The market is closed."));
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void a_stored_order_result_is_read_unchanged(OrderResult settlement) {
        String stored = CanonicalForm.writeStored(OrderResultDocument.toStored(settlement));

        assertThat(OrderResultDocument.readStored(new Stored(CanonicalForm.readStored(stored))))
                .isEqualTo(settlement);
    }

    @Test
    void an_order_result_is_stored_with_its_fill_or_its_reason() {
        CustodianHoldings empty =
                new CustodianHoldings("b", "B", CustodianHoldings.CustodianKind.PAPER, LATER, 1, Usd.ZERO, List.of());

        assertThat(OrderResultDocument.toStored(new NotFilled("The market is closed.")))
                .containsEntry("execution", null)
                .containsEntry("holdings", null)
                .containsEntry("reason", "The market is closed.");
        assertThat(OrderResultDocument.toStored(new Filled(EXECUTION, empty))).containsEntry("reason", null);
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
                SampleValues.NOON,
                SampleValues.NOON.plus(Duration.ofDays(7)),
                null);
    }
}
