package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.account.Unavailable;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a console hears of changes. */
@Timeout(60)
class StreamTest {
    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private final List<OpenStream> opened = new ArrayList<>();

    @AfterEach
    void stop() {
        service.close();
        opened.forEach(OpenStream::close);
    }

    @Test
    void it_begins_with_the_present_versions() {
        OpenStream stream = open(signedIn.user());

        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
        assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
        assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
        assertThat(stream.first(5))
                .containsExactly(
                        "requests {\"version\":0}",
                        "portfolio {\"version\":0}",
                        "policy {\"version\":0}",
                        "keys {\"version\":0}",
                        "inbox {\"version\":0}");
    }

    @Test
    void every_kind_of_change_is_told_within_a_second_and_nothing_else() {
        Client user = signedIn.user();
        OpenStream stream = open(user);
        stream.first(5);

        user.put(APP + "ips", SignedIn.IPS);
        assertThat(stream.nextWithin(1)).isEqualTo("policy {\"version\":1}");
        assertThat(stream.nextWithin(1)).isEqualTo("inbox {\"version\":1}");
        user.put(APP + "custodians/main", SignedIn.BOOK);
        assertThat(stream.nextWithin(1)).isEqualTo("portfolio {\"version\":1}");
        assertThat(stream.nextWithin(1)).isEqualTo("inbox {\"version\":2}");
        Client agent = service.client()
                .withKey(user.post(
                                APP + "keys",
                                "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"validate\",\"propose\"]}")
                        .json()
                        .get("key")
                        .textValue());
        assertThat(stream.nextWithin(1)).isEqualTo("keys {\"version\":1}");
        assertThat(stream.nextWithin(1)).isEqualTo("inbox {\"version\":3}");
        agent.post(Client.VALIDATE, Expect.TRADE);
        agent.post(Client.PROPOSE, Expect.TRADE);
        assertThat(stream.nextWithin(1)).isEqualTo("requests {\"version\":1}");
        assertThat(stream.nextWithin(1)).isEqualTo("inbox {\"version\":4}");
        user.put(APP + "me/attestation", "{\"looseningDelayHours\":1}");
        user.put(APP + "ips", SignedIn.IPS.replace("\"maxDrawdown\":0.25", "\"maxDrawdown\":0.3"));
        assertThat(stream.nextWithin(1)).isEqualTo("policy {\"version\":2}");
        assertThat(stream.nextWithin(1)).isEqualTo("inbox {\"version\":5}");
        user.send("DELETE", APP + "ips/scheduled", BodyPublishers.noBody());
        assertThat(stream.nextWithin(1)).isEqualTo("policy {\"version\":3}");
        assertThat(stream.nextWithin(1)).isEqualTo("inbox {\"version\":6}");
        assertThat(stream.isSilent()).isTrue();
    }

    @Test
    void it_ends_with_its_session() {
        Client user = signedIn.user();
        OpenStream stream = open(user);
        OpenStream other = open(signedIn.user());
        stream.first(5);
        other.first(5);

        user.send("DELETE", APP + "session", BodyPublishers.noBody());

        assertThat(stream.nextWithin(2)).isEqualTo("session {\"open\":false}");
        assertThat(stream.ends()).isTrue();
        assertThat(other.isSilent()).isTrue();
    }

    @Test
    void it_ends_when_its_session_expires_because_a_stream_does_not_use_it() {
        OpenStream stream = open(signedIn.user());
        stream.first(5);

        service.clock.advance(Duration.ofDays(15));

        assertThat(stream.nextWithin(2)).isEqualTo("session {\"open\":false}");
        assertThat(stream.ends()).isTrue();
    }

    @Test
    void only_a_session_opens_it() {
        assertThat(open(service.client()).status()).isEqualTo(401);
        assertThat(open(service.client().withKey(service.key())).status()).isEqualTo(401);
        assertThat(open(service.client().with("Cookie", "policy_session=made-up"))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void a_ninth_stream_of_a_session_ends_the_oldest() {
        Client user = signedIn.user();
        List<OpenStream> streams = new ArrayList<>();
        for (int i = 0; i <= ChangeStreams.MAX_OF_SESSION; i++) {
            streams.add(open(user));
            streams.get(i).first(5);
        }

        assertThat(streams.get(0).ends()).isTrue();
        user.put(APP + "ips", SignedIn.IPS);
        for (OpenStream stream : streams.subList(1, streams.size())) {
            assertThat(stream.nextWithin(2)).startsWith("policy");
        }
    }

    @Test
    void opening_streams_does_not_use_the_budget_of_calls() {
        Client user = signedIn.user();
        user.get(APP + "me");
        for (int i = 0; i < 50; i++) {
            assertThat(open(user).status()).isEqualTo(200);
        }
        for (int i = 1; i < CallBudget.BURST; i++) {
            assertThat(user.get(APP + "me").status()).isEqualTo(200);
        }
    }

    @Test
    void it_stays_open_while_the_store_is_away_and_then_tells_what_has_changed() {
        Client user = signedIn.user();
        OpenStream stream = open(user);
        stream.first(5);

        service.store.failing(new Unavailable("The store is away."));
        assertThat(stream.isSilent()).isTrue();
        service.store.failing(null);
        user.put(APP + "ips", SignedIn.IPS);

        assertThat(stream.nextWithin(2)).isEqualTo("policy {\"version\":1}");
    }

    @Test
    void a_stop_does_not_wait_for_streams() {
        OpenStream stream = open(signedIn.user());
        stream.first(5);

        long begun = System.nanoTime();
        service.close();

        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(5));
        assertThat(stream.ends()).isTrue();
    }

    @Test
    void head_is_answered_at_once() {
        Client.Seen head = signedIn.user().send("HEAD", APP + "stream", BodyPublishers.noBody());

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Type")).startsWith("text/event-stream");
    }

    private OpenStream open(Client client) {
        OpenStream stream = OpenStream.of(service.server.address(), client);
        opened.add(stream);
        return stream;
    }
}
