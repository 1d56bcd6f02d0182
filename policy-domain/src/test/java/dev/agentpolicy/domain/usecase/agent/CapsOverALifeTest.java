package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.sample.SampleValues.violations;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.PlainCustodian.Mood;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a request counts against the caps of its key, from proposal to its end (contract, section 4). */
class CapsOverALifeTest {
    private final UseCaseFixture house = UseCaseFixture.furnished();
    private final Caller agent = house.agent("{\"aumCapUsd\":1000}");

    @Test
    void a_pending_buy_counts_and_a_pending_sell_does_not() {
        house.queued(agent, "buy 600 BTC crypto");
        house.queued(agent, "sell 5000 BTC crypto");

        assertThat(aum()).isEqualTo("600");
        assertThat(violations(
                        house.proposed(agent, "buy 400.01 BTC crypto", null).decision()))
                .isEqualTo("agent_aum_cap 1000 1000.01");
        house.queued(agent, "buy 400 BTC crypto");
        assertThat(aum()).isEqualTo("1000");
    }

    @Test
    void a_rejected_buy_is_given_back() {
        long id = house.queued(agent, "buy 1000 BTC crypto");

        given(house.attest.reject(USER, id, null));

        assertThat(aum()).isEqualTo("0");
        assertThat(house.tally(agent).usd()).isEqualTo(Usd.of(1000));
    }

    @Test
    void a_rejected_sell_gives_nothing_back() {
        house.queued(agent, "buy 700 BTC crypto");
        long sell = house.queued(agent, "sell 500 BTC crypto");

        given(house.attest.reject(USER, sell, null));

        assertThat(aum()).isEqualTo("700");
    }

    @Test
    void an_expired_buy_is_given_back() {
        house.queued(agent, "buy 1000 BTC crypto");
        house.clock.advance(UseCaseFixture.WINDOW);

        house.expire.sweep().toCompletableFuture().join();

        assertThat(aum()).isEqualTo("0");
        assertThat(house.tally(agent).usd()).isEqualTo(Usd.ZERO);
    }

    @Test
    void a_completed_buy_counts_on_as_completed() {
        given(house.attest.accept(USER, house.queued(agent, "buy 800 BTC crypto")));

        Tally tally = house.tally(agent);
        assertThat(tally.pendingBuys()).isEqualTo(Usd.ZERO);
        assertThat(tally.completedBuys()).isEqualTo(Usd.of(800));
        assertThat(tally.usd()).isEqualTo(Usd.of(800));
        assertThat(tally.calls()).isEqualTo(1);
    }

    @Test
    void completed_sells_lower_what_is_managed_but_never_below_zero() {
        given(house.attest.accept(USER, house.queued(agent, "buy 800 BTC crypto")));
        given(house.attest.accept(USER, house.queued(agent, "sell 300 BTC crypto")));
        assertThat(aum()).isEqualTo("500");

        given(house.attest.accept(USER, house.queued(agent, "sell 900 BTC crypto")));

        assertThat(aum()).isEqualTo("0");
        assertThat(house.tally(agent).completedSells()).isEqualTo(Usd.of(1200));
    }

    @Test
    void a_buy_the_custodian_did_not_make_still_counts_until_it_is_resolved() {
        long id = house.queued(agent, "buy 1000 BTC crypto");
        house.custodian.is(Mood.REFUSING);
        given(house.attest.accept(USER, id));
        assertThat(aum()).isEqualTo("1000");
        house.custodian.is(Mood.AWAY);
        given(house.attest.accept(USER, id));
        assertThat(aum()).isEqualTo("1000");

        house.custodian.is(Mood.OBLIGING);
        house.fill.sweep(Duration.ofSeconds(-1)).toCompletableFuture().join();

        assertThat(house.tally(agent).pendingBuys()).isEqualTo(Usd.ZERO);
        assertThat(aum()).isEqualTo("1000");
    }

    @Test
    void an_acceptance_does_not_count_the_request_itself_a_second_time() {
        Caller strict = house.agent("{\"aumCapUsd\":1000,\"dailyUsdCap\":1000,\"dailyCallCap\":1}");

        given(house.attest.accept(USER, house.queued(strict, "buy 1000 BTC crypto")));

        assertThat(house.tally(strict).completedBuys()).isEqualTo(Usd.of(1000));
        assertThat(house.tally(strict).calls()).isEqualTo(1);
    }

    @Test
    void an_attestation_moves_only_the_tally_of_the_key_that_proposed() {
        Caller other = house.agent("{}");
        house.queued(other, "buy 200 BTC crypto");

        given(house.attest.accept(USER, house.queued(agent, "buy 800 BTC crypto")));

        assertThat(house.tally(other).pendingBuys()).isEqualTo(Usd.of(200));
        assertThat(house.tally(other).completedBuys()).isEqualTo(Usd.ZERO);
    }

    @Test
    void a_request_that_was_accepted_before_its_key_was_revoked_is_still_the_users_to_attest() {
        long id = house.queued(agent, "buy 800 BTC crypto");
        house.custodian.is(Mood.AWAY);
        given(house.attest.accept(USER, id));
        given(house.keys.revoke(USER, agent.key().id()));
        house.custodian.is(Mood.REFUSING);
        house.fill.sweep(Duration.ofSeconds(-1)).toCompletableFuture().join();
        house.custodian.is(Mood.OBLIGING);

        assertThat(refused(house.propose.propose(
                                agent, new ProposalBody(SampleValues.sent("buy 1 BTC crypto"), null), null))
                        .code())
                .isEqualTo(Code.UNAUTHORIZED);
        assertThat(given(house.attest.accept(USER, id)).resolvedAt()).isPresent();
    }

    private String aum() {
        return house.tally(agent).aum().toString();
    }
}
