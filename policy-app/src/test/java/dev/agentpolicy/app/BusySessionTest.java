package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A user pauses all agents while 300 requests are being rejected, with the budgets of the session used up. */
class BusySessionTest {
    private static final int REQUESTS = 300;
    private static final int CONNECTIONS = 30;
    private static final long MAX_MILLIS = 300;
    /** On a machine that has other work, a pause may take as many times as long as an undisturbed one. */
    private static final int MAX_TIMES = 6;

    private static final int ROUNDS = 5;
    private static final ExecutorService CROWD = Executors.newFixedThreadPool(CONNECTIONS);

    @AfterAll
    static void stop() {
        CROWD.shutdown();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void pausing_all_agents_takes_less_than_300_ms_while_300_requests_are_rejected_in_one_call(
            Database database, @TempDir Path folder) {
        requireQuickPause(
                database,
                folder,
                (user, ids) ->
                        List.of(CompletableFuture.supplyAsync(() -> user.post(APP + "requests/reject", "{}"), CROWD)));
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void pausing_all_agents_takes_less_than_300_ms_while_300_requests_are_rejected_one_by_one(
            Database database, @TempDir Path folder) {
        requireQuickPause(
                database,
                folder,
                (user, ids) -> ids.stream()
                        .map(id -> CompletableFuture.supplyAsync(
                                () -> user.post(APP + "requests/" + id + "/reject", "{}"), CROWD))
                        .toList());
    }

    /** Begins to reject requests. */
    private interface Rejection {
        List<CompletableFuture<Seen>> of(ApiCaller user, List<Long> ids);
    }

    private static void requireQuickPause(Database database, Path folder, Rejection rejection) {
        try (ServiceNode node = ServiceNode.start(folder, database.fresh(folder))) {
            TestHousehold home = TestHousehold.withPolicy(node.caller());
            ApiCaller agent = home.agent();
            ApiCaller user = node.caller().with("Cookie", home.cookie());
            List<Long> undisturbed = new ArrayList<>();
            List<Long> took = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                undisturbed.add(pause(user));
                List<Long> ids = proposed(agent);
                List<CompletableFuture<Seen>> rejecting = rejection.of(user, ids);
                took.add(pause(user));
                assertThat(rejecting).allMatch(call -> call.join().status() == 200);
                assertThat(waiting(user)).isEmpty();
            }
            System.out.printf(
                    "Pausing took %s ms on %s while requests were rejected, %s ms else%n", took, database, undisturbed);
            assertThat(middle(took)).isLessThan(Math.max(MAX_MILLIS, MAX_TIMES * middle(undisturbed)));
        }
    }

    /** The milliseconds in which all agents are paused; they go on afterwards. */
    private static long pause(ApiCaller user) {
        long begun = System.nanoTime();
        user.post(APP + "pause", "{}").ok();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        user.post(APP + "resume", "{}").ok();
        return millis;
    }

    private static long middle(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static List<Long> proposed(ApiCaller agent) {
        Function<Integer, Long> propose =
                i -> agent.post(API + "trades/propose", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                        .ok()
                        .json()
                        .get("serviceRequestId")
                        .longValue();
        List<Long> ids = new ArrayList<>();
        while (ids.size() < REQUESTS) {
            ids.addAll(ConcurrentCalls.calls(CONNECTIONS, propose::apply));
        }
        return ids;
    }

    private static JsonNode waiting(ApiCaller user) {
        return user.get(APP + "requests?status=pending").ok().json().get("requests");
    }
}
