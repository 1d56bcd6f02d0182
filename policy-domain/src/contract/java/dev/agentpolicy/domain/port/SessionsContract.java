package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What every keeper of sessions does. */
public interface SessionsContract extends StoreContract {

    @Test
    default void a_session_lasts_until_its_time_is_over() {
        String token = Samples.hash();
        UserId user = Samples.user();
        Instant end = Samples.START.plusSeconds(60);
        ports().sessions().open(token, user, end);

        assertThat(ports().sessions().find(token, end.minusNanos(1_000))).contains(user);
        assertThat(ports().sessions().find(token, end)).isEmpty();
        assertThat(ports().sessions().find(Samples.hash(), Samples.START)).isEmpty();
    }

    @Test
    default void a_closed_session_is_over_at_once() {
        String token = Samples.hash();
        ports().sessions().open(token, Samples.user(), Samples.START.plusSeconds(60));
        ports().sessions().close(token);
        ports().sessions().close(token);

        assertThat(ports().sessions().find(token, Samples.START)).isEmpty();
    }

    @Test
    default void sessions_whose_time_is_over_are_forgotten() {
        UserId user = Samples.user();
        String over = Samples.hash();
        String lasting = Samples.hash();
        Instant longAgo = Instant.parse("2001-01-01T00:00:00Z");
        ports().sessions().open(over, user, longAgo);
        ports().sessions().open(lasting, user, longAgo.plusSeconds(1));

        assertThat(ports().sessions().removeExpired(longAgo)).isEqualTo(1);
        assertThat(ports().sessions().find(lasting, longAgo)).contains(user);
        assertThat(ports().sessions().find(over, longAgo.minusSeconds(1))).isEmpty();
        assertThat(ports().sessions().removeExpired(longAgo.plusSeconds(1))).isEqualTo(1);
    }
}
