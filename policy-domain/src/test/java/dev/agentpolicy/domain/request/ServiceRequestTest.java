package dev.agentpolicy.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request in each of its states. */
class ServiceRequestTest {
    private static final AgentKeyId KEY = new AgentKeyId(new UUID(0, 2));
    private static final Proposal PROPOSAL = new Proposal(
            7,
            new UserId(new UUID(0, 1)),
            KEY,
            "Robot",
            SampleValues.trade("buy 100 BTC crypto"),
            null,
            null,
            new Decision(List.of(), 1, null, SampleValues.NOON),
            List.of(),
            SampleValues.NOON,
            SampleValues.NOON.plusSeconds(60),
            null);
    private static final Pending PENDING = Pending.of(PROPOSAL);

    @Test
    void only_a_rejected_request_has_a_reason_and_only_a_resolved_one_a_time() {
        ServiceRequest completed =
                accepted().with(filled(accepted(), "100").in(new OrderState.Filled()), SampleValues.NOON);

        assertThat(PENDING.reason()).isNull();
        assertThat(PENDING.resolvedAt()).isEmpty();
        assertThat(completed.reason()).isNull();
        assertThat(completed.resolvedAt()).contains(SampleValues.NOON);
        assertThat(PENDING.rejected("no", SampleValues.NOON).reason()).isEqualTo("no");
        assertThat(PENDING.rejected(null, SampleValues.NOON).resolvedAt()).contains(SampleValues.NOON);
    }

    @Test
    void every_acceptance_is_a_new_attempt() {
        Pending once = accepted();
        Pending twice = once.notExecuted("Closed.")
                .accepted("other", CustodianKind.ALPACA, Fraction.of("0.01"), SampleValues.NOON);

        assertThat(once.order().number()).isOne();
        assertThat(once.order().clientOrderId()).isEqualTo("request-7-1-hod85snpc0");
        assertThat(once.notExecuted("Closed.").executionError()).isEqualTo("Closed.");
        assertThat(once.notExecuted("Closed.").order()).isNull();
        assertThat(twice.attempts()).isEqualTo(2);
        assertThat(twice.order().clientOrderId()).isEqualTo("request-7-2-hod85snpc0");
        assertThat(twice.executionError()).isNull();
    }

    @Test
    void a_client_order_id_names_the_request_and_only_the_proposal_it_was_made_for() {
        String id = accepted().order().clientOrderId();

        assertThat(OrderAttempt.requestId(id)).hasValue(7);
        assertThat(OrderAttempt.mayName(PROPOSAL, id)).isTrue();
        assertThat(OrderAttempt.mayName(PROPOSAL, "request-7-1-hod85snpc1")).isFalse();
        assertThat(OrderAttempt.mayName(PROPOSAL, "request-8-1-hod85snpc0")).isFalse();
        assertThat(Stream.of(null, "", "user-1", "request-7", "request-x-1-a", "request-7-1-A", "request-7-1-a "))
                .allSatisfy(other -> {
                    assertThat(OrderAttempt.requestId(other)).isEmpty();
                    assertThat(OrderAttempt.mayName(PROPOSAL, other)).isFalse();
                });
    }

    @Test
    void an_order_that_is_over_waits_for_its_missing_fills() {
        Pending accepted = accepted();
        OrderReport report =
                new OrderReport(accepted.order().clientOrderId(), "x", new OrderState.Filled(), new BigDecimal("0.5"));

        OrderAttempt waiting = accepted.order().reported(report);
        OrderAttempt whole = filled(accepted, "100").reported(report);

        assertThat(waiting.state()).isEqualTo(new OrderState.PartiallyFilled());
        assertThat(accepted.with(waiting, SampleValues.NOON).status()).isEqualTo(RequestStatus.PENDING);
        assertThat(whole.state()).isEqualTo(new OrderState.Filled());
        assertThat(whole.externalId()).isEqualTo("x");
        assertThat(whole.price()).isEqualTo(Usd.of(200));
        assertThat(whole.rest()).isEqualTo(Usd.ZERO);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            filled    | 100 | false | completed | -
            cancelled |  40 | false | completed | -
            cancelled |  40 | true  | completed | -
            expired   |  40 | false | completed | -
            cancelled |   0 | true  | rejected  | canceled
            cancelled |   0 | false | pending   | The custodian cancelled the order before anything was filled.
            expired   |   0 | true  | rejected  | canceled
            rejected  |   0 | false | pending   | No such asset.
            rejected  |   0 | true  | rejected  | canceled
            open      |   0 | true  | pending   | -
            partially_filled | 40 | false | pending | -
            """)
    void the_end_of_an_order_decides_what_becomes_of_its_request(
            String state, String filledUsd, boolean isTakenBack, String status, String reason) {
        Pending accepted = isTakenBack ? accepted().cancelRequested(SampleValues.NOON) : accepted();
        OrderAttempt order = filledUsd.equals("0") ? accepted.order() : filled(accepted, filledUsd);

        ServiceRequest after = accepted.with(order.in(OrderState.of(state, "No such asset.")), SampleValues.NOON);

        assertThat(after.status().wireName()).isEqualTo(status);
        String said = after.fold(Pending::executionError, done -> null, ServiceRequest.Rejected::reason);
        assertThat(said).isEqualTo(reason);
        boolean isUnderWay = after.fold(Pending::isAccepted, done -> false, no -> false);
        assertThat(isUnderWay).isEqualTo(state.equals("open") || state.equals("partially_filled"));
    }

    @Test
    void what_is_not_filled_of_an_order_is_never_below_zero() {
        Pending accepted = accepted();

        assertThat(filled(accepted, "40").rest()).isEqualTo(Usd.of(60));
        assertThat(filled(accepted, "100.01").rest()).isEqualTo(Usd.ZERO);
        assertThat(accepted.order().price()).isNull();
        assertThat(accepted.order().openOrder(PROPOSAL.trade()))
                .isEqualTo(new OpenOrder(
                        accepted.order().clientOrderId(),
                        Action.BUY,
                        new AssetSymbol("BTC"),
                        AssetType.CRYPTO,
                        Usd.of(100)));
    }

    @Test
    void an_order_is_for_the_exact_amount() {
        Pending precise = Pending.of(new Proposal(
                8,
                PROPOSAL.userId(),
                KEY,
                "Robot",
                SampleValues.trade("buy 100.019 BTC crypto"),
                null,
                null,
                PROPOSAL.decision(),
                List.of(),
                SampleValues.NOON,
                PROPOSAL.expiresAt(),
                null));

        assertThat(precise.accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), SampleValues.NOON)
                        .order()
                        .ordered())
                .isEqualTo(Usd.of("100.019"));
    }

    private static Pending accepted() {
        return PENDING.accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), SampleValues.NOON);
    }

    /** The order of a request after a fill at 200 USD. */
    private static OrderAttempt filled(Pending accepted, String amount) {
        OrderAttempt order = accepted.order();
        BigDecimal quantity = new BigDecimal(amount).divide(new BigDecimal(200));
        Fill fill = new Fill(
                "paper",
                "fill-1",
                order.clientOrderId(),
                Action.BUY,
                new AssetSymbol("BTC"),
                AssetType.CRYPTO,
                quantity,
                Usd.of(200),
                Usd.of(amount),
                SampleValues.NOON);
        return order.plus(List.of(fill));
    }

    @Test
    void a_proposal_body_has_the_trade_and_the_rationale() {
        ProposalBody plain = new ProposalBody(PROPOSAL.sent(), null);

        assertThat(plain.hash()).hasSize(64).isEqualTo(new ProposalBody(PROPOSAL.sent(), null).hash());
        assertThat(new ProposalBody(PROPOSAL.sent(), "why").hash()).isNotEqualTo(plain.hash());
        assertThat(new ProposalBody(PROPOSAL.sent(), "why").hash())
                .isNotEqualTo(new ProposalBody(PROPOSAL.sent(), "else").hash());
    }

    @Test
    void an_outcome_is_empty_only_without_any_content() {
        Replay replay = new Replay(new IdempotencyKey(KEY, "once"), 7, "0".repeat(64), SampleValues.NOON);

        assertThat(Outcome.nothing(true).isEmpty()).isTrue();
        assertThat(outcome(new Recording().tally(KEY, Tally.NONE)).isEmpty()).isFalse();
        assertThat(outcome(new Recording().request(PENDING)).isEmpty()).isFalse();
        assertThat(outcome(new Recording().replay(replay)).isEmpty()).isFalse();
        assertThat(outcome(new Recording().ips(SampleValues.version(SampleValues.plainIps())))
                        .isEmpty())
                .isFalse();
        assertThat(outcome(new Recording().replay(replay).replay(replay)).replays())
                .hasSize(2);
    }

    private static Outcome<Boolean> outcome(Recording recording) {
        return recording.answer(receipts -> true);
    }
}
