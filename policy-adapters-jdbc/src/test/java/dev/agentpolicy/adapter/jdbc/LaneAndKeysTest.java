package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Samples;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A lane has to look for the present key now and then, and must not be held up by others who read or look. */
class LaneAndKeysTest extends HandoverBench {
    private final UserId user = Samples.user();

    @Test
    void a_lane_and_whoever_makes_a_key_active_do_not_wait_for_each_other() {
        Node node = node(url("H2"));
        AgentKey key = node.mint(user);
        node.decide(user, key.id(), true);
        node.ring().prepareNext(clock.instant().plus(NOTICE));
        clock.advance(NOTICE);

        CompletionStage<Boolean> decided = node.ports().accounts().change(user, Samples.change(account -> {
            Thread other = Daemons.named("activates").newThread(node.ring()::refresh);
            other.start();
            while (other.getState() != Thread.State.WAITING && other.isAlive()) {
                Thread.onSpinWait();
            }
            return new Outcome.Recording()
                    .event(Samples.decided(key.id(), true, account.now()))
                    .answer(receipts -> true);
        }));

        assertThat(decided).succeedsWithin(Duration.ofSeconds(10));
        assertThat(node.chain(user).get(node.chain(user).size() - 1).signingKeyId())
                .isEqualTo(node.signsWith());
    }
}
