package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holdings of a synced custodian that was not heard of for too long are not decided by. */
class StaleHoldingsTest {
    private static final String MESSAGE = "Alpaca was last heard of 22 minutes ago.";
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @BeforeEach
    void connect() {
        fixture.broker.cash(Usd.of(1_000)).position("BTC", AssetType.CRYPTO, "0.01", "30000");
        given(fixture.connect.connect(
                USER,
                "alpaca",
                new ConnectRequest(
                        CustodianKind.ALPACA,
                        "Alpaca",
                        new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"))));
    }

    @AfterEach
    void the_verdicts_follow_from_the_chain_alone() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @Test
    void until_the_largest_age_holdings_are_decided_by() {
        fixture.clock.advance(UseCaseFixture.SYNC_TIMES.maxAge());
        assertThat(fixture.validated(agent, "buy 100 BTC crypto").value().isAllowed())
                .isTrue();

        fixture.clock.advance(Duration.ofNanos(1_000));
        assertThat(fixture.validated(agent, "buy 100 BTC crypto").value().isAllowed())
                .isFalse();
    }

    @Test
    void a_validation_is_blocked_with_the_age_and_says_so_in_the_log() {
        fixture.clock.advance(Duration.ofMinutes(22));

        Decision decision = fixture.validated(agent, "buy 100 BTC crypto").value();

        blocked(decision.violations());
        assertThat(decision.snapshot()).isNull();
        assertThat(decision.stale()).isEqualTo(new StaleCustodian("alpaca", "Alpaca", SampleValues.NOON));
        List<Document> decisions = fixture.payloads(EventKind.GUARDRAIL_DECISION);
        Document stale = (Document) decisions.get(decisions.size() - 1).get("stale");
        assertThat(stale.get("custodian")).isEqualTo("alpaca");
        assertThat(stale.get("name")).isEqualTo("Alpaca");
        assertThat(stale.get("lastSyncedAt")).isEqualTo(Instants.format(SampleValues.NOON));
    }

    @Test
    void proposals_batches_and_acceptances_are_blocked_too() {
        long id = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.clock.advance(Duration.ofMinutes(22));

        blocked(fixture.proposed(agent, "buy 100 BTC crypto", null).decision().violations());
        blocked(fixture.validated(agent, List.of("buy 100 BTC crypto")).get(0).violations());
        blocked(refused(fixture.attest.accept(USER, id)).violations());
        assertThat(fixture.pending(id).isAccepted()).isFalse();
    }

    @Test
    void a_wrong_sleeve_is_blocked_for_that_and_not_for_the_age() {
        fixture.clock.advance(Duration.ofMinutes(22));

        Decision decision = fixture.validated(agent, "buy 100 BTC tradfi").value();

        assertThat(decision.violations()).extracting(Violation::rule).containsExactly(Rule.INVALID_PAYLOAD);
        assertThat(decision.stale()).isNull();
    }

    @Test
    void after_a_sync_holdings_are_decided_by_again() {
        fixture.clock.advance(Duration.ofMinutes(22));
        given(fixture.connect.sync(USER, "alpaca"));

        Decision decision = fixture.validated(agent, "buy 100 BTC crypto").value();

        assertThat(decision.isAllowed()).isTrue();
        assertThat(decision.stale()).isNull();
        List<Document> decisions = fixture.payloads(EventKind.GUARDRAIL_DECISION);
        assertThat(decisions.get(decisions.size() - 1).members()).doesNotContainKey("stale");
    }

    @Test
    void a_paper_custodian_is_never_too_old() {
        given(fixture.connect.remove(USER, "alpaca"));
        fixture.clock.advance(Duration.ofDays(300));

        assertThat(fixture.validated(fixture.agent("{}"), "buy 100 BTC crypto")
                        .value()
                        .isAllowed())
                .isTrue();
    }

    private static void blocked(List<Violation> violations) {
        assertThat(violations).extracting(Violation::rule).containsExactly(Rule.NO_PORTFOLIO_SNAPSHOT);
        assertThat(violations).extracting(Violation::message).containsExactly(MESSAGE);
    }
}
