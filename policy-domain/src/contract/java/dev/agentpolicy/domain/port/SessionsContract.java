package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.port.Sessions.StoredSession;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The contract of {@link Sessions}. */
public interface SessionsContract extends StoreContract {

    @Test
    default void a_session_is_found_as_it_was_opened() {
        String token = StoreSamples.hash();
        StoredSession session = session(StoreSamples.START, StoreSamples.START.plusSeconds(60));
        ports().sessions().open(token, session);

        assertThat(ports().sessions().find(token)).contains(session);
        assertThat(ports().sessions().find(StoreSamples.hash())).isEmpty();
    }

    @Test
    default void a_later_use_is_recorded_and_an_earlier_one_is_not() {
        String token = StoreSamples.hash();
        StoredSession session = session(StoreSamples.START, StoreSamples.START.plusSeconds(60));
        Instant later = StoreSamples.START.plusSeconds(30);
        ports().sessions().open(token, session);

        ports().sessions().use(token, later);
        ports().sessions().use(token, later.minusSeconds(1));
        ports().sessions().use(StoreSamples.hash(), later.plusSeconds(1));

        assertThat(ports().sessions().find(token))
                .contains(new StoredSession(session.userId(), later, session.expiresAt()));
    }

    @Test
    default void a_closed_session_ends_at_once() {
        String token = StoreSamples.hash();
        ports().sessions().open(token, session(StoreSamples.START, StoreSamples.START.plusSeconds(60)));
        ports().sessions().close(token);
        ports().sessions().close(token);

        assertThat(ports().sessions().find(token)).isEmpty();
    }

    @Test
    default void expired_and_unused_sessions_are_removed() {
        Instant longAgo = Instant.parse("2001-01-01T00:00:00Z");
        String expired = StoreSamples.hash();
        String unused = StoreSamples.hash();
        String lasting = StoreSamples.hash();
        ports().sessions().open(expired, session(longAgo, longAgo.plusSeconds(10)));
        ports().sessions().open(unused, session(longAgo.minusSeconds(20), longAgo.plusSeconds(20)));
        ports().sessions().open(lasting, session(longAgo.minusSeconds(19), longAgo.plusSeconds(11)));

        assertThat(ports().sessions().removeEnded(longAgo.plusSeconds(10), longAgo.minusSeconds(20)))
                .isEqualTo(2);
        assertThat(ports().sessions().find(lasting)).isPresent();
        assertThat(ports().sessions().find(expired)).isEmpty();
        assertThat(ports().sessions().find(unused)).isEmpty();
        assertThat(ports().sessions().removeEnded(longAgo.plusSeconds(11), longAgo.minusSeconds(20)))
                .isEqualTo(1);
    }

    private static StoredSession session(Instant lastUsedAt, Instant expiresAt) {
        return new StoredSession(StoreSamples.user(), lastUsedAt, expiresAt);
    }
}
