package dev.agentpolicy.adapter.http.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.app.ChangeStreams.ChangeStream;
import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.agent.UserId;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a client is sent, in which order. */
class ChangeStreamTest {
    private final ChangeStream stream =
            new ChangeStream(new UserId(UUID.randomUUID()), "session", new AccountVersions(4, 3, 2, 1, 0));

    @Test
    void the_first_text_has_every_version_and_when_to_connect_again() {
        assertThat(stream.next()).isEqualTo("""
                        retry: 2000

                        event: requests
                        data: {"version":4}

                        event: portfolio
                        data: {"version":3}

                        event: policy
                        data: {"version":2}

                        event: keys
                        data: {"version":1}

                        event: inbox
                        data: {"version":10}

                        """);
        assertThat(stream.next()).isEmpty();
    }

    @Test
    void of_several_changes_the_last_version_is_sent() {
        stream.next();
        stream.update(new AccountVersions(5, 3, 2, 1, 0));
        stream.update(new AccountVersions(6, 3, 2, 1, 0));

        assertThat(stream.next())
                .isEqualTo("event: requests\ndata: {\"version\":6}\n\nevent: inbox\ndata: {\"version\":12}\n\n");
        assertThat(stream.next()).isEmpty();
    }

    @Test
    void a_heartbeat_is_a_comment_and_comes_before_changes() {
        stream.next();
        stream.beat();
        stream.beat();
        assertThat(stream.next()).isEqualTo(": open\n\n");

        stream.beat();
        stream.update(new AccountVersions(4, 3, 2, 2, 0));
        assertThat(stream.next())
                .isEqualTo(": open\n\nevent: keys\ndata: {\"version\":2}\n\nevent: inbox\ndata: {\"version\":11}\n\n");
    }

    @Test
    void the_end_of_the_session_is_the_last_event() {
        stream.next();
        stream.update(new AccountVersions(4, 3, 3, 1, 0));
        stream.endSession();

        assertThat(stream.next())
                .isEqualTo(
                        "event: policy\ndata: {\"version\":3}\n\nevent: inbox\ndata: {\"version\":11}\n\nevent: session\ndata: {\"open\":false}\n\n");
        assertThat(stream.next()).isEmpty();
    }
}
