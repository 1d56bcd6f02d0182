package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.ips.ShadowIps;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.RehearseIps.Rehearsed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RehearseIpsTest {
    private static final String FLOW =
            "{\"limits\":[{\"id\":\"f\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":2}]}";

    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final RehearseIps rehearsals = new RehearseIps(
            fixture.store.rehearsals(),
            new ReplayIps(fixture.store.eventLog(), fixture.store.requestQueue(), fixture.store),
            fixture.store,
            fixture.store.eventLog(),
            fixture.clock);

    private Rehearsed set(String changes) {
        return given(rehearsals.put(USER, Amendment.of(SampleValues.ips(changes))));
    }

    @Test
    void decisions_of_the_moment_before_it_was_set_do_not_count_but_their_flows_do() {
        fixture.proposed(agent, "buy 10 BTC crypto", null);
        set(FLOW);
        fixture.proposed(agent, "buy 10 BTC crypto", null);
        fixture.proposed(agent, "buy 10 BTC crypto", null);

        Rehearsed rehearsed = given(rehearsals.read(USER));

        assertThat(rehearsed.replay().count()).isEqualTo(2);
        assertThat(rehearsed.replay().newlyBlocked()).isEqualTo(1);
        assertThat(rehearsed.replay().basedOn()).isEqualTo(1);
    }

    @Test
    void another_document_begins_anew_and_the_same_one_does_not() {
        ShadowIps first = set("{}").shadow();
        fixture.clock.advance(Duration.ofMinutes(1));
        fixture.validated(agent, "buy 10 BTC crypto");

        assertThat(set("{}").shadow()).isEqualTo(first);
        Rehearsed other = set("{\"allowedActions\":[\"sell\"]}");

        assertThat(other.shadow().since()).isEqualTo(fixture.clock.instant());
        assertThat(other.replay().count()).isZero();
    }

    @Test
    void one_that_was_replaced_is_not_promoted_and_its_promotion_does_not_end_the_other() {
        ShadowIps first = set("{}").shadow();
        fixture.clock.advance(Duration.ofMinutes(1));
        ShadowIps second = set("{\"allowedActions\":[\"sell\"]}").shadow();

        assertThat(refused(rehearsals.toPromote(USER, first.since())).code()).isEqualTo(Code.CHANGED);
        rehearsals.promoted(USER, first);

        assertThat(rehearsals.shadow(USER)).contains(second);
        assertThat(given(rehearsals.toPromote(USER, second.since()))).isEqualTo(second);
    }

    @Test
    void it_takes_the_pause_of_no_policy() {
        ShadowIps shadow = given(
                        rehearsals.put(USER, Amendment.of(SampleValues.ips("{}").withPaused(true))))
                .shadow();

        assertThat(shadow.statement().isPaused()).isFalse();
    }
}
