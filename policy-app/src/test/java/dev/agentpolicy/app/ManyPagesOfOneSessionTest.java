package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A hundred connections of one session request pages, and all other callers are still answered. */
@OnEveryDatabase
class ManyPagesOfOneSessionTest extends DatabaseTests {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final int CONNECTIONS = 100;
    private static final Duration LONG = Duration.ofSeconds(6);
    private static final List<String> PAGES = List.of(
            APP + "events?limit=500", APP + "audit?limit=100&allowed=true", APP + "requests?limit=100", APP + "usage");

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final List<Integer> greedy = Collections.synchronizedList(new ArrayList<>());

    @Test
    void pages_of_one_session_starve_nobody() throws Exception {
        TestHousehold other = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = other.agent();
        TestHousehold attacker = TestHousehold.withPolicy(node.caller());
        fill(attacker);
        ExecutorService crowd = greedily(attacker);
        try {
            requireAnswered(other, agent, true);
        } finally {
            end(crowd);
        }
        assertThat(statuses())
                .isNotEmpty()
                .allSatisfy((status, count) -> assertThat(status).isIn(200, 429));
        assertThat(greedy.stream().filter(status -> status == 200).count())
                .as("within the budget of the session")
                .isLessThanOrEqualTo(60 + 20 * (LONG.toSeconds() + 60));
    }

    /** Locks the table of events, so that a reader of a page keeps its connection. */
    @Test
    void pages_that_hang_leave_connections_and_threads_to_others() throws Exception {
        Assumptions.assumeTrue(database == Database.POSTGRES, "Nothing keeps a reader of H2 waiting.");
        TestHousehold other = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = other.agent();
        agent.get(API + "whoami").ok();
        TestHousehold attacker = TestHousehold.withPolicy(node.caller());
        try (Connection locking = DriverManager.getConnection(url)) {
            locking.setAutoCommit(false);
            try (Statement lock = locking.createStatement()) {
                lock.execute("LOCK TABLE policy_event IN ACCESS EXCLUSIVE MODE");
            }
            ExecutorService crowd = greedily(attacker);
            try {
                requireAnswered(other, agent, false);
            } finally {
                locking.rollback();
                end(crowd);
            }
        }
    }

    /** A flood of unknown keys does not delay known callers. */
    @Test
    void guessed_keys_are_refused_without_a_look_up_and_known_ones_go_on() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller known = household.agent();
        known.get(API + "whoami").ok();
        ApiCaller unseen = household.agent();
        for (int tries = 0; tries < 50; tries++) {
            List<Integer> guesses = IntStream.range(0, 80).mapToObj(this::guess).toList();
            assertThat(known.get(API + "whoami").status()).isEqualTo(200);
            if (guesses.contains(429)) {
                assertThat(guesses.get(0)).isEqualTo(401);
                requireAdmittedSoon(unseen);
                return;
            }
        }
        throw new AssertionError("80 guesses in one second were all looked up.");
    }

    /** In the next second, at the latest. */
    private static void requireAdmittedSoon(ApiCaller agent) {
        long begun = System.nanoTime();
        while (agent.get(API + "whoami").status() != 200) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONG);
        }
    }

    private int guess(int number) {
        return node.caller()
                .withKey("svc_live_" + String.format("%064x", number))
                .get(API + "whoami")
                .status();
    }

    private static void requireAnswered(TestHousehold other, ApiCaller agent, boolean isReading) {
        long begun = System.nanoTime();
        List<Long> took = new ArrayList<>();
        while (System.nanoTime() - begun < LONG.toNanos()) {
            long call = System.nanoTime();
            assertThat(agent.get(API + "whoami").status()).as("whoami").isEqualTo(200);
            assertThat(new ApiCaller(agent.address()).get("/health/ready").status())
                    .as("ready")
                    .isEqualTo(200);
            assertThat(new ApiCaller(agent.address()).get("/health/live").status())
                    .as("live")
                    .isEqualTo(200);
            assertThat(other.user().get(APP + "sessions").status())
                    .as("sessions")
                    .isEqualTo(200);
            assertThat(other.user().get(APP + "requests?limit=1").status())
                    .as("requests")
                    .isEqualTo(200);
            if (isReading) {
                assertThat(agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                                .status())
                        .as("validate")
                        .isEqualTo(200);
                assertThat(other.user().get(APP + "audit?limit=10").status())
                        .as("audit")
                        .isEqualTo(200);
            }
            took.add(System.nanoTime() - call);
            pause();
        }
        Collections.sort(took);
        System.out.printf(
                "%d rounds of others; the middle one took %d ms, the longest %d ms%n",
                took.size(),
                TimeUnit.NANOSECONDS.toMillis(took.get(took.size() / 2)),
                TimeUnit.NANOSECONDS.toMillis(took.get(took.size() - 1)));
    }

    /** Four calls of a session in half a second are within its budget. */
    private static void pause() {
        try {
            Thread.sleep(250);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** Reads the answer and throws it away, so that the caller does not use up the machine. */
    private static int status(TestHousehold attacker, String page) {
        HttpRequest call = HttpRequest.newBuilder(URI.create(attacker.user().address() + page))
                .header("Cookie", attacker.cookie())
                .build();
        try {
            return HTTP.send(call, BodyHandlers.discarding()).statusCode();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private ExecutorService greedily(TestHousehold attacker) {
        greedy.clear();
        ExecutorService crowd = Executors.newFixedThreadPool(CONNECTIONS);
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            String page = PAGES.get(connection % PAGES.size());
            crowd.execute(() -> {
                while (!isOver.get()) {
                    greedy.add(status(attacker, page));
                }
            });
        }
        return crowd;
    }

    private void end(ExecutorService crowd) throws InterruptedException {
        isOver.set(true);
        crowd.shutdown();
        assertThat(crowd.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        isOver.set(false);
        System.out.println("The greedy session got " + statuses());
    }

    private Map<Integer, Long> statuses() {
        return greedy.stream().collect(Collectors.groupingBy(status -> status, TreeMap::new, Collectors.counting()));
    }

    private static void fill(TestHousehold household) {
        ApiCaller agent = household.agent();
        String one = trade("buy", "SPY", "tradfi", "1");
        String batch = "{\"trades\":[" + String.join(",", Collections.nCopies(25, one)) + "]}";
        for (int i = 0; i < 40; i++) {
            agent.post(API + "policy/validate-batch", batch).ok();
        }
    }
}
