package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.usecase.ScriptedCustodian.Mood;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Acceptances while other requests of the same user are accepted and not yet filled. */
class UnfilledTradesTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void two_buys_that_leave_the_band_only_together_are_not_both_accepted() {
        long second = fixture.queued(agent, "buy 3000 BTC crypto");
        long first = unfilled("buy 3000 BTC crypto");

        Refusal blocked = refused(fixture.attest.accept(USER, second));

        assertThat(rules(blocked)).containsExactly(Rule.CRYPTO_MAX_ALLOCATION);
        assertThat(fixture.pending(second).isAccepted()).isFalse();
        assertThat(fixture.pending(first).isAccepted()).isTrue();
    }

    @Test
    void the_recorded_decision_counts_the_other_trades_as_done() {
        long second = fixture.queued(agent, "buy 3000 BTC crypto");
        unfilled("buy 3000 BTC crypto");
        refused(fixture.attest.accept(USER, second));

        DecisionRecord told =
                fixture.audit.read(USER, AuditQuery.latest(1)).get(0).decision();

        assertThat(told.held()).isEqualTo(Usd.of(33_000));
        assertThat(told.decision().snapshot().crypto()).isEqualTo(Usd.of(33_000));
        assertThat(told.decision().snapshot().cash()).isEqualTo(Usd.of(12_000));
        assertThat(told.decision().snapshot().total()).isEqualTo(Usd.of(100_000));
    }

    @Test
    void an_asset_in_an_unfilled_sell_cannot_be_sold_again() {
        long second = fixture.queued(agent, "sell 16000 BTC crypto");
        unfilled("sell 15000 BTC crypto");

        assertThat(rules(refused(fixture.attest.accept(USER, second))))
                .containsExactly(Rule.ACTION_NOT_ALLOWED, Rule.CRYPTO_MIN_ALLOCATION);
    }

    @Test
    void an_unfilled_trade_of_one_asset_does_not_change_what_is_held_of_another() {
        unfilled("buy 1000 SPY tradfi");
        long second = fixture.queued(agent, "sell 100 BTC crypto");
        fixture.hold(0, 60_000, 40_000);

        Refusal blocked = refused(fixture.attest.accept(USER, second));

        assertThat(rules(blocked)).contains(Rule.ACTION_NOT_ALLOWED);
        assertThat(blocked.violations().get(0).message()).isEqualTo("The sell is of 100 USD of BTC; 0 USD is held.");
    }

    @Test
    void cash_of_an_unfilled_buy_cannot_be_spent_again() {
        long second = fixture.queued(agent, "buy 1500 SPY tradfi");
        unfilled("buy 9000 SPY tradfi");

        assertThat(rules(refused(fixture.attest.accept(USER, second)))).containsExactly(Rule.CASH_FLOOR);
    }

    @Test
    void a_refused_request_no_longer_counts() {
        long first = unfilled("buy 3000 BTC crypto");
        fixture.custodian.is(Mood.REFUSING);
        fixture.orders.execute(fixture.pending(first));
        assertThat(fixture.pending(first).isAccepted()).isFalse();
        assertThat(fixture.portfolio().custodian("broker").orElseThrow().openOrders())
                .isEmpty();

        fixture.custodian.is(Mood.OBLIGING);
        long second = fixture.queued(agent, "buy 3000 BTC crypto");
        assertThat(given(fixture.attest.accept(USER, second)).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(rules(refused(fixture.attest.accept(USER, first)))).containsExactly(Rule.CRYPTO_MAX_ALLOCATION);
    }

    @Test
    void agents_see_accepted_trades_as_done_too() {
        unfilled("buy 3000 BTC crypto");

        assertThat(fixture.proposed(agent, "buy 3000 BTC crypto", null)
                        .decision()
                        .violations())
                .extracting(Violation::rule)
                .containsExactly(Rule.CRYPTO_MAX_ALLOCATION);
        assertThat(fixture.validated(agent, "buy 100 BTC crypto")
                        .value()
                        .snapshot()
                        .crypto())
                .isEqualTo(Usd.of(33_000));
    }

    /** Makes a request that is accepted and not filled. */
    private long unfilled(String trade) {
        long id = fixture.queued(agent, trade);
        fixture.custodian.is(Mood.AWAY);
        given(fixture.attest.accept(USER, id));
        fixture.custodian.is(Mood.OBLIGING);
        return id;
    }

    private static List<Rule> rules(Refusal blocked) {
        return blocked.violations().stream().map(violation -> violation.rule()).toList();
    }
}
