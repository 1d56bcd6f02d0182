package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What the service says its agents called is, call for call, what they counted themselves. */
@OnEveryDatabase
class UsageTest extends DatabaseTests {
    private static final int CALLS = 300;
    private static final String NOWHERE = "(unknown)";
    private static final String WITHOUT_ITS_KEY = "{\"name\":\"Robot\"}";

    /** One thing an agent may do, and the route it is counted under. */
    private record Kind(String route, Function<ApiCaller, Seen> call) {}

    /** One call that was answered. */
    private record Counted(String keyId, String route, int status) {}

    private static final List<Kind> KINDS = List.of(
            new Kind(API + "whoami", agent -> agent.get(API + "whoami")),
            new Kind(API + "whoami", agent -> agent.send("HEAD", API + "whoami", null)),
            new Kind(API + "mandate", agent -> agent.get(API + "mandate")),
            new Kind(API + "audit", agent -> agent.get(API + "audit?limit=2")),
            new Kind(API + "audit", agent -> agent.get(API + "audit?limit=0")),
            new Kind(API + "signing-keys", agent -> agent.get(API + "signing-keys")),
            new Kind(
                    API + "policy/validate",
                    agent -> agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))),
            new Kind(API + "policy/validate", agent -> agent.post(API + "policy/validate", WITHOUT_ITS_KEY)),
            new Kind(
                    API + "policy/validate-batch",
                    agent -> agent.post(
                            API + "policy/validate-batch",
                            "{\"trades\":[" + trade("sell", "BTC", "crypto", "90000") + "]}")),
            new Kind(
                    API + "trades/propose",
                    agent -> agent.post(API + "trades/propose", "{\"rationale\":\"" + "x".repeat(70_000) + "\"}")),
            new Kind(API + "usage", agent -> agent.get(API + "usage?days=30")),
            new Kind(NOWHERE, agent -> agent.get(API + "no/such/path")),
            new Kind(API + "policy/validate", agent -> agent.get(API + "policy/validate")));

    @Test
    void it_equals_what_the_agents_counted() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        List<JsonNode> keys = List.of(
                household.mint("live"),
                household.mint("live", "\"read\"", "{}"),
                household.mint("live", "\"read\",\"validate\"", "{\"dailyCallCap\":3}"));
        List<Counted> counted = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            Kind kind = KINDS.get(i % KINDS.size());
            JsonNode key = keys.get(i % keys.size());
            Seen seen = kind.call.apply(household.agent(key));
            counted.add(new Counted(key.get("agentKeyId").textValue(), kind.route, seen.status()));
        }
        node.caller().withKey("svc_live_" + "0".repeat(64)).get(API + "whoami");
        node.caller().get(API + "whoami");

        JsonNode usage = household.user().get(APP + "usage?days=2").ok().json();

        assertThat(counted).extracting(Counted::status).contains(200, 400, 403, 404, 405, 413, 429);
        assertThat(usage.get("totals").get("total").longValue()).isEqualTo(CALLS);
        assertThat(usage.get("totals").get("errors").longValue()).isEqualTo(errors(counted));
        assertThat(sum(usage, "total")).isEqualTo(CALLS);
        assertThat(sum(usage, "errors")).isEqualTo(errors(counted));
        assertThat(counts(usage, "topPaths", "path")).isEqualTo(by(counted, Counted::route));
        assertThat(counts(usage, "topKeys", "agentKeyId")).isEqualTo(by(counted, Counted::keyId));
        assertThat(recent(usage)).containsExactlyElementsOf(lastTen(counted));
    }

    private static long errors(List<Counted> counted) {
        return counted.stream().filter(call -> call.status >= 400).count();
    }

    private static long sum(JsonNode usage, String member) {
        long sum = 0;
        for (JsonNode day : usage.get("series")) {
            sum += day.get(member).longValue();
        }
        return sum;
    }

    private static Map<String, Long> counts(JsonNode usage, String list, String name) {
        Map<String, Long> counts = new HashMap<>();
        usage.get(list)
                .forEach(item ->
                        counts.put(item.get(name).textValue(), item.get("count").longValue()));
        return counts;
    }

    private static Map<String, Long> by(List<Counted> counted, Function<Counted, String> name) {
        Map<String, Long> counts = new HashMap<>();
        counted.forEach(call -> counts.merge(name.apply(call), 1L, Long::sum));
        return counts;
    }

    private static List<Counted> recent(JsonNode usage) {
        List<Counted> recent = new ArrayList<>();
        usage.get("recent")
                .forEach(call -> recent.add(new Counted(
                        call.get("agentKeyId").textValue(),
                        call.get("path").textValue(),
                        call.get("status").intValue())));
        return recent;
    }

    private static List<Counted> lastTen(List<Counted> counted) {
        List<Counted> last = new ArrayList<>();
        for (int i = counted.size() - 1; last.size() < 10; i--) {
            last.add(counted.get(i));
        }
        return last;
    }
}
