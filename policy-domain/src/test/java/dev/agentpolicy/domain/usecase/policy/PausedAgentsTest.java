package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.RequestReview;
import dev.agentpolicy.domain.usecase.RequestReview.Shown;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import org.junit.jupiter.api.Test;

/** Pausing and resuming all agents of a user. */
class PausedAgentsTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void while_agents_are_paused_every_trade_is_blocked() {
        given(fixture.amendIps.pause(USER, true));

        Decision buy = fixture.validated(agent, "buy 100 BTC crypto").value();
        Decision sell = fixture.validated(agent, "sell 100 BTC crypto").value();

        assertThat(buy.violations())
                .extracting(Violation::rule, Violation::message)
                .containsExactly(tuple(Rule.ACTION_NOT_ALLOWED, "All agents are paused."));
        assertThat(sell.isAllowed()).isFalse();
        given(fixture.amendIps.pause(USER, false));
        assertThat(fixture.validated(agent, "buy 100 BTC crypto").value().isAllowed())
                .isTrue();
    }

    @Test
    void pausing_makes_a_version_that_keeps_the_rest_and_pausing_again_makes_none() {
        Amended paused = given(fixture.amendIps.pause(USER, true));

        assertThat(paused.version().version()).isEqualTo(2);
        assertThat(paused.version().ips().withPaused(false)).isEqualTo(SampleValues.plainIps());
        assertThat(given(fixture.amendIps.pause(USER, true)).isNew()).isFalse();
        assertThat(given(fixture.amendIps.pause(USER, false)).version().version())
                .isEqualTo(3);
    }

    @Test
    void a_new_policy_leaves_agents_paused() {
        given(fixture.amendIps.pause(USER, true));

        IpsVersion next = given(fixture.amendIps.put(USER, SampleValues.ips("{\"tier\":5}")))
                .version();

        assertThat(next.ips().isPaused()).isTrue();
        assertThat(given(fixture.amendIps.put(USER, SampleValues.ips("{\"tier\":5,\"paused\":false}")))
                        .isNew())
                .isFalse();
    }

    @Test
    void a_request_is_not_accepted_while_agents_are_paused() {
        long id = fixture.queued(agent, "buy 100 BTC crypto");
        given(fixture.amendIps.pause(USER, true));

        assertThat(refused(fixture.attest.accept(USER, id)).code()).isEqualTo(Refusal.Code.POLICY_BLOCKED);
        assertThat(fixture.review.find(USER, id).orElseThrow().now().isAllowed())
                .isFalse();
        given(fixture.amendIps.pause(USER, false));
        assertThat(given(fixture.attest.accept(USER, id)).resolvedAt()).isPresent();
    }

    @Test
    void who_was_shown_the_request_before_the_pause_learns_of_a_change_and_who_was_shown_it_after_of_a_block() {
        long id = fixture.queued(agent, "buy 100 BTC crypto");
        RequestReview before = fixture.review.find(USER, id).orElseThrow().now();
        given(fixture.amendIps.pause(USER, true));
        RequestReview after = fixture.review.find(USER, id).orElseThrow().now();

        Refusal changed = refused(fixture.attest.accept(USER, id, shown(before)));
        Refusal blocked = refused(fixture.attest.accept(USER, id, shown(after)));

        assertThat(changed.code()).isEqualTo(Refusal.Code.CHANGED);
        assertThat(blocked.code()).isEqualTo(Refusal.Code.POLICY_BLOCKED);
        assertThat(changed.violations()).isEqualTo(after.violations()).isNotEmpty();
        assertThat(blocked.violations()).isEqualTo(after.violations());
    }

    private static Shown shown(RequestReview review) {
        return new Shown(review.ipsVersion(), review.portfolioRevision());
    }

    @Test
    void without_a_policy_there_is_nothing_to_pause() {
        UseCaseFixture empty = new UseCaseFixture();

        assertThat(refused(empty.amendIps.pause(USER, true)).code()).isEqualTo(Refusal.Code.NO_IPS);
        assertThat(refused(empty.amendIps.put(USER, new Amendment(SampleValues.ips("{}"), true, 1)))
                        .message())
                .isEqualTo("There is no policy yet.");
    }

    @Test
    void a_policy_is_put_in_force_only_over_the_expected_version() {
        Amendment stale = new Amendment(SampleValues.ips("{\"tier\":5}"), true, 2);
        Refusal refusal = refused(fixture.amendIps.put(USER, stale));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.CHANGED);
        assertThat(refusal.message()).contains("Version 1");
        assertThat(given(fixture.amendIps.put(USER, new Amendment(stale.ips(), true, 1)))
                        .version()
                        .version())
                .isEqualTo(2);
    }
}
