package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A key calls more often than its daily call cap allows, in whatever way. */
@OnEveryDatabase
class DailyCallCapTest extends DatabaseTests {
    private static final String ALL = "\"read\",\"validate\",\"propose\"";
    private static final String BUY = trade("buy", "SPY", "tradfi", "1");
    private static final String LARGE = "{\"rationale\":\"" + "x".repeat(70_000) + "\"}";

    /** A kind of call, the scopes it is made with, and what it is answered while calls are left. */
    record Kind(String name, String scopes, int status, int calls, Function<ApiCaller, Seen> call) {
        static Kind of(String name, int status, Function<ApiCaller, Seen> call) {
            return new Kind(name, ALL, status, 1, call);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                Kind.of("whoami", 200, agent -> agent.get(API + "whoami")),
                Kind.of("mandate", 200, agent -> agent.get(API + "mandate")),
                Kind.of("holdings", 200, agent -> agent.get(API + "holdings")),
                Kind.of("audit", 200, agent -> agent.get(API + "audit")),
                Kind.of("filtered audit", 200, agent -> agent.get(API + "audit?allowed=true")),
                Kind.of("events", 200, agent -> agent.get(API + "policy/events")),
                Kind.of("usage", 200, agent -> agent.get(API + "usage")),
                Kind.of("validate", 200, agent -> agent.post(API + "policy/validate", BUY)),
                new Kind(
                        "batch",
                        ALL,
                        200,
                        2,
                        agent -> agent.post(API + "policy/validate-batch", "{\"trades\":[" + BUY + "," + BUY + "]}")),
                Kind.of("batch of none", 200, agent -> agent.post(API + "policy/validate-batch", "{\"trades\":[]}")),
                Kind.of("propose", 200, agent -> agent.post(API + "trades/propose", BUY)),
                Kind.of(
                        "propose again",
                        200,
                        agent -> agent.with("Idempotency-Key", "once").post(API + "trades/propose", BUY)),
                Kind.of("bad parameter", 400, agent -> agent.get(API + "audit?limit=0")),
                Kind.of("bad body", 400, agent -> agent.post(API + "policy/validate", "{}")),
                Kind.of("bad batch", 400, agent -> agent.post(API + "policy/validate-batch", "{\"trades\":1}")),
                Kind.of(
                        "bad idempotency key",
                        400,
                        agent -> agent.with("Idempotency-Key", "x".repeat(129)).post(API + "trades/propose", BUY)),
                Kind.of("large body", 413, agent -> agent.post(API + "trades/propose", LARGE)),
                Kind.of(
                        "no JSON",
                        415,
                        agent -> agent.with("Content-Type", "text/plain").send("POST", API + "policy/validate", BUY)),
                Kind.of("unknown path", 404, agent -> agent.get(API + "nothing")),
                Kind.of("wrong method", 405, agent -> agent.get(API + "policy/validate")),
                new Kind("missing scope", "\"read\"", 403, 1, agent -> agent.post(API + "policy/validate", BUY)),
                new Kind("missing read scope", "\"validate\"", 403, 1, agent -> agent.get(API + "mandate")));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void every_kind_of_call_counts_and_is_refused_when_none_is_left(Kind kind) {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent(household.mint("live", kind.scopes, "{\"dailyCallCap\":4}"));

        for (int calls = 0; calls < 4; calls += kind.calls) {
            assertThat(kind.call.apply(agent).status()).isEqualTo(kind.status);
            assertThat(used(household)).isEqualTo(calls + kind.calls);
        }
        for (Function<ApiCaller, Seen> call : List.of(kind.call, other -> other.get(API + "whoami"))) {
            Seen seen = call.apply(agent);
            assertThat(seen.status()).isEqualTo(429);
            assertThat(seen.json().get("error").textValue()).isEqualTo("daily_call_cap_exceeded");
            assertThat(seen.json().get("limit").intValue()).isEqualTo(4);
            assertThat(Long.parseLong(seen.header("Retry-After"))).isBetween(1L, 86_400L);
            assertThat(seen.header("X-RateLimit-Remaining")).isNotEmpty();
        }
        assertThat(used(household)).isEqualTo(4);
    }

    @Test
    void public_paths_do_not_count_and_are_answered_when_no_call_is_left() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent(household.mint("live", ALL, "{\"dailyCallCap\":1}"));

        for (int i = 0; i < 3; i++) {
            agent.get(API + "signing-keys").ok();
            agent.get(API + "openapi.json").ok();
        }
        assertThat(used(household)).isZero();
        agent.get(API + "whoami").ok();
        agent.get(API + "signing-keys").ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"live", "test"})
    void the_mandate_says_what_is_left_of_the_calls(String type) {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent(household.mint(type, ALL, "{\"dailyCallCap\":5}"));
        agent.post(API + "policy/validate", BUY).ok();
        agent.get(API + "whoami").ok();

        assertThat(agent.get(API + "mandate")
                        .ok()
                        .json()
                        .at("/keyPolicy/callsRemainingToday")
                        .intValue())
                .isEqualTo(2);
        agent.post(API + "policy/validate-batch", "{\"trades\":[" + BUY + "," + BUY + "," + BUY + "]}")
                .ok();
        assertThat(agent.get(API + "mandate").status()).isEqualTo(429);
    }

    @Test
    void a_count_is_still_there_after_a_restart(@TempDir Path other) {
        String database = super.database.fresh(other);
        ApiCaller agent;
        try (ServiceNode first = ServiceNode.start(other, database)) {
            TestHousehold household = TestHousehold.withPolicy(first.caller());
            agent = household.agent(household.mint("live", ALL, "{\"dailyCallCap\":3}"));
            agent.get(API + "whoami").ok();
            agent.post(API + "policy/validate", BUY).ok();
        }
        try (ServiceNode second = ServiceNode.start(other, database)) {
            ApiCaller again = agent.at(second.caller().address());
            again.get(API + "whoami").ok();
            assertThat(again.get(API + "whoami").status()).isEqualTo(429);
        }
    }

    private static long used(TestHousehold household) {
        return household
                .user()
                .get(APP + "keys")
                .ok()
                .json()
                .at("/keys/0/usedToday/calls")
                .longValue();
    }
}
