package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.PreviewIps.PreviewedDecision;
import dev.agentpolicy.domain.usecase.policy.ReplayIps.Replay;
import dev.agentpolicy.domain.usecase.policy.ReplayIps.RuleCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayIpsTest {
    private static final String NO_BUYS = "{\"allowedActions\":[\"sell\"]}";

    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final ReplayIps replays =
            new ReplayIps(fixture.store.eventLog(), fixture.store.requestQueue(), fixture.store);

    private Replay replay(Ips draft, int days, int limit) {
        return given(replays.replay(USER, Amendment.of(draft), days, limit, fixture.clock.instant()));
    }

    private Replay replay(String draft) {
        return replay(SampleValues.ips(draft), 30, ReplayIps.MAX_DECISIONS);
    }

    @Test
    void decisions_are_counted_by_what_becomes_of_them_and_by_rule() {
        Instant first = fixture.clock.instant();
        fixture.validated(agent, "buy 100 BTC crypto");
        fixture.clock.advance(Duration.ofMinutes(1));
        fixture.validated(agent, "sell 100 BTC crypto");
        fixture.validated(agent, "buy 100 SPY tradfi");

        Replay replay = replay(NO_BUYS);

        assertThat(replay.count()).isEqualTo(3);
        assertThat(replay.same()).isEqualTo(1);
        assertThat(replay.newlyBlocked()).isEqualTo(2);
        assertThat(replay.newlyAllowed()).isZero();
        assertThat(replay.byRule()).containsExactly(entry(Rule.ACTION_NOT_ALLOWED, new RuleCounts(2, 0)));
        assertThat(replay.firstDifferentAt()).isEqualTo(first);
        assertThat(replay.basedOn()).isEqualTo(1);
        assertThat(replay.isAtLeast()).isFalse();
        assertThat(replay.newest())
                .extracting(line -> line.was().trade().asset().value())
                .containsExactly("SPY", "BTC");
        assertThat(replay.newest()).allMatch(PreviewedDecision::isDifferent);
    }

    @Test
    void what_the_policy_in_force_blocks_and_the_draft_does_not_is_newly_allowed() {
        given(fixture.amendIps.put(USER, SampleValues.ips(NO_BUYS)));
        fixture.validated(agent, "buy 100 BTC crypto");

        Replay replay = replay("{}");

        assertThat(replay.newlyAllowed()).isEqualTo(1);
        assertThat(replay.byRule()).containsExactly(entry(Rule.ACTION_NOT_ALLOWED, new RuleCounts(0, 1)));
        assertThat(replay.basedOn()).isEqualTo(2);
    }

    @Test
    void the_policy_in_force_changes_nothing_even_where_agents_were_paused_or_its_limits_are_of_several_assets() {
        String limits = "{\"limits\":[{\"id\":\"l\",\"kind\":\"loss\",\"windowDays\":3,\"max\":0.5},"
                + "{\"id\":\"g\",\"kind\":\"position\",\"max\":0.9,\"scope\":{\"symbols\":[\"BTC\",\"ETH\"]}},"
                + "{\"id\":\"f\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":2}]}";
        given(fixture.amendIps.put(USER, SampleValues.ips(limits)));
        for (int i = 0; i < 4; i++) {
            fixture.proposed(agent, "buy 10 BTC crypto", null);
        }
        given(fixture.amendIps.pause(USER, true));
        fixture.validated(agent, "buy 10 BTC crypto");
        given(fixture.amendIps.pause(USER, false));

        Replay replay = replay(limits);

        assertThat(replay.count()).isEqualTo(5);
        assertThat(replay.same()).isEqualTo(5);
    }

    @Test
    void what_depends_on_what_no_row_recorded_is_not_guessed() {
        fixture.validated(agent, "buy 10 BTC crypto");
        fixture.validated(agent, "sell 10 BTC crypto");

        Replay replay = replay("{\"limits\":[{\"id\":\"l\",\"kind\":\"loss\",\"windowDays\":3,\"max\":0.5}]}");

        assertThat(replay.notReplayable()).isEqualTo(1);
        assertThat(replay.same()).isEqualTo(1);
    }

    @Test
    void a_recorded_measure_is_used_under_another_maximum_but_not_under_another_scope() {
        String limit = "{\"limits\":[{\"id\":\"g\",\"kind\":\"position\",\"max\":%s,\"scope\":{\"symbols\":[%s]}}]}";
        given(fixture.amendIps.put(USER, SampleValues.ips(limit.formatted("0.9", "\"BTC\",\"ETH\""))));
        fixture.validated(agent, "buy 10 BTC crypto");

        assertThat(replay(limit.formatted("0.1", "\"BTC\",\"ETH\"")).newlyBlocked())
                .isEqualTo(1);
        assertThat(replay(limit.formatted("0.8", "\"BTC\",\"ETH\"")).same()).isEqualTo(1);
        assertThat(replay(limit.formatted("0.9", "\"BTC\",\"SOL\"")).notReplayable())
                .isEqualTo(1);
    }

    @Test
    void flows_of_the_draft_count_allowed_proposals_from_before_the_days_that_are_replayed() {
        fixture.proposed(agent, "buy 10 BTC crypto", null);
        fixture.clock.advance(Duration.ofHours(30));
        fixture.validated(agent, "buy 10 BTC crypto");

        Replay replay = replay(
                SampleValues.ips(
                        "{\"limits\":[{\"id\":\"f\",\"kind\":\"flow\",\"windowMinutes\":2880,\"maxTrades\":1}]}"),
                1,
                ReplayIps.MAX_DECISIONS);

        assertThat(replay.count()).isEqualTo(1);
        assertThat(replay.newlyBlocked()).isEqualTo(1);
    }

    @Test
    void only_the_newest_decisions_of_agents_are_replayed_up_to_the_limit() {
        for (int i = 0; i < 9; i++) {
            fixture.validated(agent, Collections.nCopies(100, "buy 1 BTC crypto"));
        }
        given(fixture.attest.accept(USER, fixture.queued(agent, "sell 1 BTC crypto")));

        Replay all = replay(NO_BUYS);
        Replay some = replay(SampleValues.ips(NO_BUYS), 30, 700);

        assertThat(all.count()).isEqualTo(901);
        assertThat(all.newest()).hasSize(ReplayIps.MAX_SHOWN);
        assertThat(all.isAtLeast()).isFalse();
        assertThat(some.count())
                .as("the newest 700 decisions, without the one of the user")
                .isEqualTo(699);
        assertThat(some.same()).isEqualTo(1);
        assertThat(some.isAtLeast()).isTrue();
    }

    @Test
    void decisions_before_the_days_are_left_out() {
        fixture.validated(agent, "buy 1 BTC crypto");
        fixture.clock.advance(Duration.ofDays(2));
        fixture.validated(agent, "buy 1 BTC crypto");

        assertThat(replay(SampleValues.ips(NO_BUYS), 1, 10).count()).isEqualTo(1);
        assertThat(replay(SampleValues.ips(NO_BUYS), 3, 10).count()).isEqualTo(2);
    }

    @Test
    void requests_that_wait_and_would_not_have_come_are_named() {
        long waiting = fixture.queued(agent, "buy 1 BTC crypto");
        long rejected = fixture.queued(agent, "buy 2 BTC crypto");
        long sale = fixture.queued(agent, "sell 2 BTC crypto");
        given(fixture.attest.reject(USER, rejected, "no"));

        assertThat(replay(NO_BUYS).pendingAffected()).containsExactly(waiting).doesNotContain(sale);
    }

    @Test
    void trades_that_could_not_be_read_stay_blocked() {
        fixture.validated(agent, List.of(""));

        assertThat(replay("{}").same()).isEqualTo(1);
    }
}
