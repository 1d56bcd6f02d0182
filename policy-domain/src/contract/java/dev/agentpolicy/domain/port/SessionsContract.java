package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Sessions.SessionOrigin;
import dev.agentpolicy.domain.port.signin.Sessions.StoredSession;
import java.time.Instant;
import java.util.UUID;
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

        assertThat(ports().sessions().find(token)).contains(session.usedAt(later));
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

    @Test
    default void the_sessions_of_a_user_are_listed_newest_first_and_end_alone_or_together() {
        UserId user = StoreSamples.user();
        String old = opened(user, StoreSamples.START);
        String middle = opened(user, StoreSamples.START.plusSeconds(1));
        String young = opened(user, StoreSamples.START.plusSeconds(2));
        String ofAnother = opened(StoreSamples.user(), StoreSamples.START);

        assertThat(ports().sessions().of(user)).containsExactly(found(young), found(middle), found(old));
        assertThat(ports().sessions().close(user, found(ofAnother).id())).isFalse();
        assertThat(ports().sessions().close(user, found(middle).id())).isTrue();
        assertThat(ports().sessions().close(user, UUID.randomUUID())).isFalse();
        assertThat(ports().sessions().find(middle)).isEmpty();

        ports().sessions().closeAll(user, old);
        assertThat(ports().sessions().of(user)).containsExactly(found(old));
        ports().sessions().closeAll(user, null);
        assertThat(ports().sessions().of(user)).isEmpty();
        assertThat(ports().sessions().find(ofAnother)).isPresent();
    }

    @Test
    default void sessions_beyond_the_most_of_a_user_end_and_those_used_longest_ago_end_first() {
        UserId user = StoreSamples.user();
        Instant now = StoreSamples.START.plusSeconds(30);
        String expired = StoreSamples.hash();
        ports().sessions().open(expired, StoreSamples.session(user, now, now));
        String early = opened(user, StoreSamples.START);
        String unused = opened(user, StoreSamples.START.plusSeconds(1));
        String used = opened(user, StoreSamples.START.plusSeconds(2));
        String kept = opened(user, StoreSamples.START.minusSeconds(1));
        String ofAnother = opened(StoreSamples.user(), StoreSamples.START);
        ports().sessions().use(early, StoreSamples.START.plusSeconds(3));

        ports().sessions().closeBeyond(user, null, kept, now, 4);
        assertThat(ports().sessions().of(user)).hasSize(5);
        ports().sessions().closeBeyond(user, null, kept, now, 3);

        assertThat(ports().sessions().find(unused)).isEmpty();
        assertThat(ports().sessions().of(user))
                .containsExactlyInAnyOrder(found(expired), found(used), found(early), found(kept));
        assertThat(ports().sessions().find(ofAnother)).isPresent();
    }

    @Test
    default void the_sessions_of_a_viewer_are_counted_and_ended_by_themselves() {
        UserId user = StoreSamples.user();
        UUID viewer = UUID.randomUUID();
        String ofUser = opened(user, StoreSamples.START);
        String ofViewer = opened(user, StoreSamples.START.plusSeconds(1), viewer);
        String laterOfViewer = opened(user, StoreSamples.START.plusSeconds(2), viewer);
        String ofAnother = opened(user, StoreSamples.START.plusSeconds(3), UUID.randomUUID());
        assertThat(found(ofViewer).viewer()).isEqualTo(viewer);
        assertThat(found(ofUser).viewer()).isNull();

        ports().sessions().closeBeyond(user, viewer, laterOfViewer, StoreSamples.START, 1);
        ports().sessions().closeBeyond(user, null, ofUser, StoreSamples.START, 1);
        assertThat(ports().sessions().of(user)).containsExactly(found(ofAnother), found(laterOfViewer), found(ofUser));

        ports().sessions().closeViewer(user, viewer);
        assertThat(ports().sessions().of(user)).containsExactly(found(ofAnother), found(ofUser));
    }

    @Test
    default void a_browser_may_say_nothing_of_itself_or_too_much() {
        String silent = StoreSamples.hash();
        StoredSession session = session(StoreSamples.START, StoreSamples.START.plusSeconds(60));
        String talkative = StoreSamples.hash();
        SessionOrigin origin = new SessionOrigin("2001:db8::1", "Mozilla\u00e9\u0001" + "x".repeat(1_000));
        ports().sessions().open(silent, at(session, new SessionOrigin("192.0.2.1", null)));
        ports().sessions().open(talkative, at(session, origin));

        assertThat(found(silent).origin()).isEqualTo(new SessionOrigin("192.0.2.1", null));
        assertThat(found(talkative).origin()).isEqualTo(origin);
        assertThat(origin.agent()).hasSize(SessionOrigin.MAX_AGENT).startsWith("Mozilla??xx");
    }

    private static StoredSession at(StoredSession session, SessionOrigin origin) {
        return new StoredSession(
                UUID.randomUUID(),
                session.userId(),
                session.createdAt(),
                session.lastUsedAt(),
                session.expiresAt(),
                origin);
    }

    private StoredSession found(String token) {
        return ports().sessions().find(token).orElseThrow();
    }

    private String opened(UserId user, Instant at, UUID viewer) {
        String token = StoreSamples.hash();
        StoredSession of = StoreSamples.session(user, at, at.plusSeconds(60));
        ports().sessions()
                .open(
                        token,
                        new StoredSession(
                                of.id(), user, of.createdAt(), of.lastUsedAt(), of.expiresAt(), of.origin(), viewer));
        return token;
    }

    private String opened(UserId user, Instant at) {
        String token = StoreSamples.hash();
        ports().sessions().open(token, StoreSamples.session(user, at, at.plusSeconds(60)));
        return token;
    }

    private static StoredSession session(Instant lastUsedAt, Instant expiresAt) {
        return StoreSamples.session(StoreSamples.user(), lastUsedAt, expiresAt);
    }
}
