package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A session is limited to 20 calls a second of the app API, in bursts of 60, and lookups of unknown sessions are
 * limited.
 */
class SessionBudgetTest {
    private static final int BURST = 60;
    private static final int PER_SECOND = 20;
    private static final int MAX_UNKNOWN = 50;

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_session_that_calls_more_than_its_burst_is_429() {
        Client greedy = signedIn.user();
        Client other = signedIn.user();

        assertThat(statuses(greedy, BURST)).containsOnly(200);
        Seen over = greedy.get(APP + "me");

        Expect.error(
                over,
                429,
                "{\"error\":\"rate_limit_exceeded\",\"message\":"
                        + "\"More than 20 calls a second in this session; wait a second.\","
                        + "\"limit\":20,\"resetSeconds\":1}");
        assertThat(over.header("Retry-After")).isEqualTo("1");
        assertThat(over.header("X-RateLimit-Limit")).as("is of agents").isNull();
        assertThat(other.get(APP + "me").status()).as("another session").isEqualTo(200);
    }

    @Test
    void twenty_more_are_admitted_after_each_second() {
        Client greedy = signedIn.user();
        statuses(greedy, BURST + 10);
        for (int second = 0; second < 3; second++) {
            service.clock.advance(Duration.ofSeconds(1));

            List<Integer> statuses = statuses(greedy, 2 * PER_SECOND);

            assertThat(statuses.subList(0, PER_SECOND)).containsOnly(200);
            assertThat(statuses.subList(PER_SECOND, 2 * PER_SECOND)).containsOnly(429);
        }
        service.clock.advance(Duration.ofSeconds(3));
        assertThat(statuses(greedy, BURST)).containsOnly(200);
    }

    /** Whoever opens more sessions does not get more calls. */
    @Test
    void all_sessions_of_a_user_together_have_the_budget_of_two() {
        List<Client> sessions =
                IntStream.range(0, 4).mapToObj(i -> signedIn.user()).toList();

        assertThat(statuses(sessions.get(0), BURST)).containsOnly(200);
        assertThat(statuses(sessions.get(1), BURST)).containsOnly(200);
        Seen over = sessions.get(2).get(APP + "me");

        Expect.error(
                over,
                429,
                "{\"error\":\"rate_limit_exceeded\",\"message\":"
                        + "\"More than 40 calls a second in all sessions of this account; wait a second.\","
                        + "\"limit\":40,\"resetSeconds\":1}");
        assertThat(over.header("Retry-After")).isEqualTo("1");
        service.clock.advance(Duration.ofSeconds(1));
        assertThat(statuses(sessions.get(2), PER_SECOND)).containsOnly(200);
        assertThat(statuses(sessions.get(3), PER_SECOND)).containsOnly(200);
        assertThat(sessions.get(3).get(APP + "me").status()).isEqualTo(429);
    }

    /** The most urgent calls of a user are never refused because others were made. */
    @Test
    void pausing_resuming_revoking_and_rejecting_are_outside_of_every_budget() {
        signedIn.agent();
        Client busy = signedIn.user();
        String key = busy.get(APP + "keys").json().at("/keys/0/agentKeyId").textValue();
        statuses(busy, BURST + 1);
        statuses(signedIn.user(), BURST + 1);
        assertThat(busy.get(APP + "me").status()).isEqualTo(429);

        for (int i = 0; i < BURST; i++) {
            assertThat(busy.post(APP + "pause", "{}").status()).isEqualTo(200);
            assertThat(busy.post(APP + "resume", "{}").status()).isEqualTo(200);
            assertThat(busy.post(APP + "requests/reject", "{}").status()).isEqualTo(200);
            assertThat(busy.post(APP + "requests/1/reject", "{}").status()).isEqualTo(404);
        }
        assertThat(busy.send("DELETE", APP + "keys/" + key, BodyPublishers.noBody())
                        .status())
                .isEqualTo(200);
        assertThat(busy.get(APP + "me").status()).isEqualTo(429);
    }

    @Test
    void no_session_is_locked_out_when_the_clock_is_set_back() {
        Client user = signedIn.user();
        service.clock.advance(Duration.ofHours(1));
        statuses(user, BURST);

        service.clock.advance(Duration.ofHours(-1));

        assertThat(user.get(APP + "me").status()).isEqualTo(200);
    }

    @Test
    void console_files_and_signing_out_do_not_use_the_budget() {
        Client greedy = signedIn.user();
        statuses(greedy, BURST + 1);

        assertThat(greedy.send("DELETE", APP + "session", BodyPublishers.noBody())
                        .status())
                .isEqualTo(204);
        assertThat(greedy.get(APP + "me").status()).isEqualTo(401);
    }

    @Test
    void invented_sessions_cause_at_most_fifty_lookups_a_second() {
        Client known = signedIn.user();
        known.get(APP + "me");
        for (int guess = 0; guess < MAX_UNKNOWN; guess++) {
            assertThat(guess("session-" + guess)).isEqualTo(401);
        }

        assertThat(guess("another")).isEqualTo(429);
        assertThat(known.get(APP + "me").status())
                .as("a session that was seen before")
                .isEqualTo(200);
        service.clock.advance(Duration.ofSeconds(1));
        assertThat(guess("another")).isEqualTo(401);
    }

    @Test
    void a_budget_is_exact_at_its_edges() {
        CallBudget budget = CallBudget.ofSessions();
        Instant now = TestService.NOW;
        IntStream.range(0, BURST)
                .forEach(call -> assertThat(budget.admits("a", now)).isTrue());

        assertThat(budget.admits("a", now)).isFalse();
        assertThat(budget.admits("a", now.plusMillis(49))).isFalse();
        assertThat(budget.admits("a", now.plusMillis(50))).isTrue();
        assertThat(budget.admits("a", now.plusMillis(50))).isFalse();
        assertThat(budget.admits("b", now)).isTrue();
        CallBudget ofUsers = CallBudget.ofUsers();
        IntStream.range(0, 2 * BURST)
                .forEach(call -> assertThat(ofUsers.admits("a", now)).isTrue());
        assertThat(ofUsers.admits("a", now.plusMillis(24))).isFalse();
        assertThat(ofUsers.admits("a", now.plusMillis(25))).isTrue();
    }

    private int guess(String token) {
        return service.client()
                .with("Cookie", "policy_session=" + token)
                .get(APP + "me")
                .status();
    }

    private static List<Integer> statuses(Client client, int calls) {
        return IntStream.range(0, calls)
                .mapToObj(call -> client.get(APP + "me").status())
                .toList();
    }
}
