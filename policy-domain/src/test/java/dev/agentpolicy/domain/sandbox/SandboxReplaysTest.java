package dev.agentpolicy.domain.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.sample.SampleValues;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SandboxReplaysTest {
    private static final Instant NOON = SampleValues.NOON;
    private static final Instant A_DAY_LATER = NOON.plus(IdempotencyKey.WINDOW);

    private final SandboxReplays replays = new SandboxReplays();

    @Test
    void beyond_the_maximum_the_key_with_the_most_records_loses_its_oldest_tenth() {
        keep(1, "quiet", NOON);
        for (int i = 0; i < SandboxReplays.MAX_SIZE; i++) {
            keep(2, "flood-" + i, NOON);
        }

        assertThat(replays.size()).isEqualTo(SandboxReplays.MAX_SIZE - SandboxReplays.MAX_SIZE / 10 + 1);
        assertThat(replays.of(key(1, "quiet"))).hasSize(1);
        assertThat(replays.of(key(2, "flood-" + (SandboxReplays.MAX_SIZE / 10 - 1))))
                .isEmpty();
        assertThat(replays.of(key(2, "flood-" + SandboxReplays.MAX_SIZE / 10))).hasSize(1);
    }

    @Test
    void ended_records_of_other_keys_are_removed_first() {
        for (int i = 0; i < SandboxReplays.MAX_SIZE - 1; i++) {
            keep(1, "old-" + i, NOON);
        }
        keep(2, "young", NOON.plusSeconds(1));

        keep(2, "next", A_DAY_LATER);

        assertThat(replays.size()).isEqualTo(2);
        assertThat(replays.of(key(2, "young"))).hasSize(1);
    }

    @Test
    void a_key_drops_its_ended_records() {
        keep(1, "first", NOON);
        keep(1, "second", NOON.plusSeconds(1));

        keep(1, "first", A_DAY_LATER);

        assertThat(replays.size()).isEqualTo(2);
        assertThat(replays.of(key(1, "first")).values())
                .extracting(Replay::createdAt)
                .containsExactly(A_DAY_LATER);
        assertThat(replays.of(null)).isEmpty();
    }

    private void keep(long agent, String value, Instant now) {
        replays.keep(new Replay(key(agent, value), -1, "0".repeat(64), now), now);
    }

    private static IdempotencyKey key(long agent, String value) {
        return new IdempotencyKey(new AgentKeyId(new UUID(0, agent)), value);
    }
}
