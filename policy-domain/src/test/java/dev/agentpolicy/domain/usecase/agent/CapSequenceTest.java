package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.sample.SampleValues.violations;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.usecase.ScriptedCustodian.Mood;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a request counts towards the caps of its key, from proposal to resolution (docs/reference/keys.md). */
class CapSequenceTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{\"aumCapUsd\":1000}");

    @Test
    void a_pending_buy_counts_towards_the_aum_cap_and_a_pending_sell_does_not() {
        fixture.queued(agent, "buy 600 BTC crypto");
        fixture.queued(agent, "sell 5000 BTC crypto");

        assertThat(aum()).isEqualTo("600");
        assertThat(violations(
                        fixture.proposed(agent, "buy 400.01 BTC crypto", null).decision()))
                .isEqualTo("agent_aum_cap 1000 1000.01");
        fixture.queued(agent, "buy 400 BTC crypto");
        assertThat(aum()).isEqualTo("1000");
    }

    @Test
    void a_rejected_buy_no_longer_counts() {
        long id = fixture.queued(agent, "buy 1000 BTC crypto");

        given(fixture.attest.reject(USER, id, null));

        assertThat(aum()).isEqualTo("0");
        assertThat(fixture.tally(agent).usd()).isEqualTo(Usd.of(1000));
    }

    @Test
    void a_rejected_sell_changes_nothing() {
        fixture.queued(agent, "buy 700 BTC crypto");
        long sell = fixture.queued(agent, "sell 500 BTC crypto");

        given(fixture.attest.reject(USER, sell, null));

        assertThat(aum()).isEqualTo("700");
    }

    @Test
    void an_expired_buy_no_longer_counts() {
        fixture.queued(agent, "buy 1000 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW);

        fixture.expire.sweep();

        assertThat(aum()).isEqualTo("0");
        assertThat(fixture.tally(agent).usd()).isEqualTo(Usd.ZERO);
    }

    @Test
    void a_completed_buy_still_counts() {
        given(fixture.attest.accept(USER, fixture.queued(agent, "buy 800 BTC crypto")));

        Tally tally = fixture.tally(agent);
        assertThat(tally.pendingBuys()).isEqualTo(Usd.ZERO);
        assertThat(tally.completedBuys()).isEqualTo(Usd.of(800));
        assertThat(tally.usd()).isEqualTo(Usd.of(800));
        assertThat(tally.calls()).isEqualTo(1);
    }

    @Test
    void completed_sells_reduce_the_aum_but_not_below_zero() {
        given(fixture.attest.accept(USER, fixture.queued(agent, "buy 800 BTC crypto")));
        given(fixture.attest.accept(USER, fixture.queued(agent, "sell 300 BTC crypto")));
        assertThat(aum()).isEqualTo("500");

        given(fixture.attest.accept(USER, fixture.queued(agent, "sell 900 BTC crypto")));

        assertThat(aum()).isEqualTo("0");
        assertThat(fixture.tally(agent).completedSells()).isEqualTo(Usd.of(1200));
    }

    @Test
    void a_buy_that_was_not_filled_counts_until_it_is_resolved() {
        long id = fixture.queued(agent, "buy 1000 BTC crypto");
        fixture.custodian.is(Mood.REFUSING);
        given(fixture.attest.accept(USER, id));
        assertThat(aum()).isEqualTo("1000");
        fixture.custodian.is(Mood.AWAY);
        given(fixture.attest.accept(USER, id));
        assertThat(aum()).isEqualTo("1000");

        fixture.custodian.is(Mood.OBLIGING);
        fixture.orders.sweep(Duration.ofSeconds(-1));

        assertThat(fixture.tally(agent).pendingBuys()).isEqualTo(Usd.ZERO);
        assertThat(aum()).isEqualTo("1000");
    }

    @Test
    void an_acceptance_does_not_count_its_own_request_twice() {
        Caller strict = fixture.agent("{\"aumCapUsd\":1000,\"dailyUsdCap\":1000,\"dailyCallCap\":1}");

        given(fixture.attest.accept(USER, fixture.queued(strict, "buy 1000 BTC crypto")));

        assertThat(fixture.tally(strict).completedBuys()).isEqualTo(Usd.of(1000));
        assertThat(fixture.tally(strict).calls()).isEqualTo(1);
    }

    @Test
    void an_attestation_changes_only_the_tally_of_the_proposing_key() {
        Caller other = fixture.agent("{}");
        fixture.queued(other, "buy 200 BTC crypto");

        given(fixture.attest.accept(USER, fixture.queued(agent, "buy 800 BTC crypto")));

        assertThat(fixture.tally(other).pendingBuys()).isEqualTo(Usd.of(200));
        assertThat(fixture.tally(other).completedBuys()).isEqualTo(Usd.ZERO);
    }

    private String aum() {
        return fixture.tally(agent).aum().toString();
    }
}
