package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of {@link Devices}. */
public interface DevicesContract extends StoreContract {

    @Test
    default void a_device_is_known_until_it_has_been_unused_for_too_long() {
        String token = StoreSamples.hash();
        UserId user = StoreSamples.user();
        ports().devices().remember(token, user, StoreSamples.START, 10);

        assertThat(ports().devices().find(token, StoreSamples.START.minusNanos(1_000)))
                .contains(user);
        assertThat(ports().devices().find(token, StoreSamples.START)).isEmpty();
        assertThat(ports().devices().find(StoreSamples.hash(), StoreSamples.START.minusSeconds(1)))
                .isEmpty();
    }

    @Test
    default void using_a_device_again_extends_the_time_it_is_known() {
        String token = StoreSamples.hash();
        UserId user = StoreSamples.user();
        ports().devices().remember(token, user, StoreSamples.START, 10);
        ports().devices().remember(token, user, StoreSamples.START.plusSeconds(60), 10);

        assertThat(ports().devices().find(token, StoreSamples.START.plusSeconds(59)))
                .contains(user);
    }

    @Test
    default void only_the_most_recently_used_devices_of_a_user_are_kept() {
        UserId user = StoreSamples.user();
        String others = StoreSamples.hash();
        List<String> tokens = Stream.generate(StoreSamples::hash).limit(4).toList();
        ports().devices().remember(others, StoreSamples.user(), StoreSamples.START, 3);
        for (int i = 0; i < 3; i++) {
            ports().devices().remember(tokens.get(i), user, StoreSamples.START.plusSeconds(i), 3);
        }
        ports().devices().remember(tokens.get(0), user, StoreSamples.START.plusSeconds(3), 3);

        ports().devices().remember(tokens.get(3), user, StoreSamples.START.plusSeconds(4), 3);

        Instant before = StoreSamples.START.minusSeconds(1);
        assertThat(tokens.stream()
                        .filter(token -> ports().devices().find(token, before).isPresent()))
                .containsExactly(tokens.get(0), tokens.get(2), tokens.get(3));
        assertThat(ports().devices().find(others, before)).isPresent();
    }

    @Test
    default void the_devices_of_a_user_are_forgotten_but_for_one() {
        UserId user = StoreSamples.user();
        String kept = StoreSamples.hash();
        String other = StoreSamples.hash();
        String ofAnother = StoreSamples.hash();
        ports().devices().remember(kept, user, StoreSamples.START, 10);
        ports().devices().remember(other, user, StoreSamples.START, 10);
        ports().devices().remember(ofAnother, StoreSamples.user(), StoreSamples.START, 10);
        Instant before = StoreSamples.START.minusSeconds(1);

        ports().devices().forget(user, kept);
        assertThat(ports().devices().find(kept, before)).contains(user);
        assertThat(ports().devices().find(other, before)).isEmpty();
        ports().devices().forget(user, null);
        assertThat(ports().devices().find(kept, before)).isEmpty();
        assertThat(ports().devices().find(ofAnother, before)).isPresent();
    }

    @Test
    default void devices_unused_for_too_long_are_removed() {
        Instant longAgo = Instant.parse("2001-01-01T00:00:00Z");
        String unused = StoreSamples.hash();
        String used = StoreSamples.hash();
        ports().devices().remember(unused, StoreSamples.user(), longAgo, 10);
        ports().devices().remember(used, StoreSamples.user(), longAgo.plusSeconds(1), 10);

        assertThat(ports().devices().removeUnused(longAgo)).isEqualTo(1);
        assertThat(ports().devices().find(unused, longAgo.minusSeconds(1))).isEmpty();
        assertThat(ports().devices().find(used, longAgo)).isPresent();
        assertThat(ports().devices().removeUnused(longAgo.plusSeconds(1))).isEqualTo(1);
    }
}
