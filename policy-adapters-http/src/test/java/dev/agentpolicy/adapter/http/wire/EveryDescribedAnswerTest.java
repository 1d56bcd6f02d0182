package dev.agentpolicy.adapter.http.wire;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.NotFoundAndConflicts;
import dev.agentpolicy.adapter.http.agent.DescribedCalls;
import dev.agentpolicy.adapter.http.agent.DescribedCalls.Call;
import dev.agentpolicy.adapter.http.app.CallBudget;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.openapi.Described;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Provokes every answer that docs/openapi.json describes; the client checks each of them. */
class EveryDescribedAnswerTest {
    /** The description is read once at the start, and the metadata are settings, so no failure is possible later. */
    private static final Set<String> NEVER = Set.of(
            "GET /api/agent/v1/openapi.json 500",
            "GET /api/agent/v1/openapi.json 503",
            "GET /.well-known/authzen-configuration 500",
            "GET /.well-known/authzen-configuration 503");

    /** Only unknown sessions are refused them. */
    private static final Set<String> UNCOUNTED = Set.of(
            "DELETE " + APP + "session",
            "POST " + APP + "pause",
            "POST " + APP + "resume",
            "DELETE " + APP + "keys/{id}",
            "DELETE " + APP + "viewers/{id}",
            "POST " + APP + "session/viewer",
            "DELETE " + APP + "ips/scheduled",
            "POST " + APP + "requests/reject",
            "POST " + APP + "requests/{id}/reject");

    private final TestService service =
            new TestService(HttpConfig.of("127.0.0.1", 0, List.of()).withAppHost("127.0.0.1"));
    private final DescribedCalls calls = new DescribedCalls(service);

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void every_answer_is_given_as_described() {
        each(200, this::answered);
        each(201, Call::made);
        each(202, call -> call.operation().equals("PUT " + APP + "ips") ? call.madeBy(calls.delaying()) : call.made());
        each(204, Call::made);
        each(304, EveryDescribedAnswerTest::again);
        each(400, EveryDescribedAnswerTest::wrong);
        each(401, this::stranger);
        each(403, this::notEntitled);
        each(405, call -> call.by().send("TRACE", call.path(), BodyPublishers.noBody()));
        Map<String, Seen> ofHalfBodies = TruncatedBodies.answers(answering(408));
        each(408, call -> ofHalfBodies.get(call.operation()));
        each(413, call -> call.with(" ".repeat(mostBytes(call) + 1), call.by()));
        each(415, EveryDescribedAnswerTest::asText);
        each(421, this::elsewhere);
        each(429, this::tooOften);
        each(431, call -> call.madeBy(call.by().with("X-Large", "x".repeat(9_000))));
        new NotFoundAndConflicts(calls, service.clock).provoke();
        each(503, call -> failing(call, new Unavailable("The store is away.")));
        each(500, call -> failing(call, new IllegalStateException("A fault of the store.")));

        Set<String> missing = Described.answers();
        missing.removeAll(Described.seen());
        assertThat(missing).isEqualTo(new TreeSet<>(NEVER));
    }

    @Test
    void every_code_of_an_error_is_described_and_no_other() throws IOException {
        JsonNode document = Client.json(Files.readString(Path.of("../docs/openapi.json")));

        assertThat(document.at("/components/schemas/ErrorCode/enum"))
                .extracting(JsonNode::textValue)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(ErrorCode.values()).map(ErrorCode::wireName).toList());
    }

    private static int mostBytes(Call call) {
        return call.operation().matches(".*ips/(compare|tests|tests/run)") ? Body.MAX_LARGE_BYTES : Body.MAX_BYTES;
    }

    /** Makes a call of each operation that has an answer of this status, and requires that answer. */
    private void each(int status, Function<Call, Seen> made) {
        for (String operation : answering(status)) {
            Seen seen = made.apply(calls.of(operation));
            assertThat(seen.status()).as("%s: %s", operation, seen.text()).isEqualTo(status);
        }
    }

    private static List<String> answering(int status) {
        String end = " " + status;
        List<String> operations = Described.answers().stream()
                .filter(answer -> answer.endsWith(end) && !NEVER.contains(answer))
                .map(answer -> answer.substring(0, answer.length() - end.length()))
                .toList();
        assertThat(operations).as("operations that answer %d", status).isNotEmpty();
        return operations;
    }

    /** A stream is answered in full once its session has ended. */
    private Seen answered(Call call) {
        if (!isStream(call)) {
            return call.made();
        }
        CompletableFuture<Void> ended = CompletableFuture.runAsync(
                () -> call.by().send("DELETE", APP + "session", BodyPublishers.noBody()),
                CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
        Seen seen = call.made();
        ended.join();
        return seen;
    }

    private static boolean isStream(Call call) {
        return call.operation().equals("GET " + APP + "stream");
    }

    private static Seen again(Call call) {
        return call.madeBy(call.by().with("If-None-Match", call.made().header("ETag")));
    }

    private static Seen wrong(Call call) {
        if (!call.body().isEmpty()) {
            return call.with("{\"surprise\":1}", call.by());
        }
        String name = call.path().matches(".*(usage|history)") ? "days" : "limit";
        return call.at(call.path() + "?" + name + "=0").made();
    }

    private Seen stranger(Call call) {
        if (isOfPasskeySignIn(call)) {
            return call.madeBy(service.client().with("Cookie", "policy_session=one; policy_session=two"));
        }
        return call.with(call.body().replace("battery", "stapler"), service.client());
    }

    /** Agents lack the scope; users come from another site, or are viewers where that makes no difference. */
    private Seen notEntitled(Call call) {
        if (!call.isAgents() && call.method().equals("GET")) {
            return call.at(call.path() + (call.path().endsWith("/activity") ? "?format=csv" : ""))
                    .madeBy(calls.viewer());
        }
        boolean isReading = call.method().equals("GET") || call.path().endsWith("/headroom");
        return call.madeBy(
                call.isAgents()
                        ? service.client().withKey(service.key(isReading ? Scope.PROPOSE : Scope.READ))
                        : call.by().with("Origin", "https://elsewhere.example"));
    }

    private static Seen asText(Call call) {
        return call.by()
                .with("Content-Type", "text/plain")
                .send(call.method(), call.path(), BodyPublishers.ofString(call.body()));
    }

    /** The same machine under another name. */
    private Seen elsewhere(Call call) {
        Client[] other = {new Client("http://localhost:" + service.server.port())};
        call.by().eachHeader((name, value) -> other[0] = other[0].with(name, value));
        return call.madeBy(other[0]);
    }

    /**
     * Uses up the limit that applies to a call: the second of an agent, the burst of a session, wrong passwords,
     * sign-ups, or unknown sessions.
     */
    private Seen tooOften(Call call) {
        int times = Math.max(TestService.PER_SECOND, CallBudget.BURST);
        for (int more = times; more > 0; more--) {
            once(call);
        }
        Seen last = isCountedByAddress(call) ? madeUp(call) : call.made();
        service.clock.advance(Duration.ofHours(1));
        return last;
    }

    /** None uses the budget of calls. */
    private static boolean isCountedByAddress(Call call) {
        return isStream(call) || UNCOUNTED.contains(call.operation());
    }

    private void once(Call call) {
        if (call.isAgents()) {
            call.by().get("/api/agent/v1/nothing");
        } else if (call.operation().equals("POST " + APP + "session")) {
            stranger(call);
        } else if (call.operation().equals("POST " + APP + "users") || isOfPasskeySignIn(call)) {
            call.made();
        } else if (isCountedByAddress(call)) {
            madeUp(call);
        } else {
            call.by().get(APP + "me");
        }
    }

    private static boolean isOfPasskeySignIn(Call call) {
        return call.operation().startsWith("POST " + APP + "session/passkey");
    }

    private Seen madeUp(Call call) {
        return call.madeBy(service.client().with("Cookie", "policy_session=made-up"));
    }

    private Seen failing(Call call, RuntimeException failure) {
        service.store.failing(failure);
        try {
            return call.made();
        } finally {
            service.store.failing(null);
        }
    }
}
