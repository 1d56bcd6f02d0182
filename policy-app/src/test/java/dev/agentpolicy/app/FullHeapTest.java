package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users who try to fill the heap of a process that has the recommended 144 MB, or less. */
class FullHeapTest {
    private static final int REPLACEMENTS = ExperimentSettings.times(400, 1_300);
    private static final String HEAP = "-Xmx" + ExperimentSettings.times(80, 144) + "m";
    private static final int POSITIONS = 500;
    private static final int PAUSES = 400;
    private static final List<String> OF_WHAT_WAS_WRITTEN = List.of(
            "ips/versions", "ips/versions?documents=true", "events?limit=500", "activity?limit=200&text=nothing");

    @TempDir
    Path folder;

    /** In every build with less memory; when every replaced portfolio stayed there, 830 of them filled 144 MB. */
    @Test
    void replacing_holdings_of_500_positions_does_not_fill_the_heap() throws Exception {
        Map<String, String> environment = ServiceNode.environment(folder, Database.H2.fresh(folder), Map.of());
        try (ServiceProcess process = ServiceProcess.withHeap(folder, environment, HEAP)) {
            TestHousehold home = TestHousehold.withPolicy(new ApiCaller(process.address()));
            for (int i = 0; i < REPLACEMENTS; i++) {
                home.user().put(APP + "custodians/savings", holdings(i)).ok();
            }

            ApiCaller agent = home.agent();
            agent.post(API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "100"))
                    .ok();
            assertThat(agent.get(API + "holdings").ok().json().at("/custodians").size())
                    .isEqualTo(2);
            assertThat(process.isAlive()).isTrue();
            assertThat(process.err()).doesNotContain("OutOfMemoryError");
        }
    }

    /** Every page, feed and file that shows what the owner wrote, on four connections at once as far as they are allowed. */
    @Test
    void one_owner_with_hundreds_of_large_policies_does_not_fill_the_heap() throws Exception {
        Map<String, String> environment = ServiceNode.environment(folder, Database.H2.fresh(folder), Map.of());
        try (ServiceProcess process = ServiceProcess.withHeap(folder, environment, "-Xmx144m")) {
            TestHousehold home = TestHousehold.withPolicy(new ApiCaller(process.address()));
            ApiCaller agent = home.agent();
            home.user().put(APP + "ips", largePolicy()).ok();
            for (int i = 0; i < PAUSES; i++) {
                home.user().post(APP + (i % 2 == 0 ? "pause" : "resume"), "{}").ok();
            }

            List<Seen> answers = ConcurrentCalls.calls(
                    10,
                    i -> i % 5 == 4
                            ? agent.get(API + "policy/events?limit=500&eventType=ips.amended")
                            : home.user().get(APP + OF_WHAT_WAS_WRITTEN.get(i % 5)));
            assertThat(answers).allMatch(seen -> seen.status() == 200 || seen.status() == 429);

            assertThat(versions(home, "?limit=100")).isEqualTo(2 + PAUSES);
            assertThat(versions(home, "?documents=true")).isEqualTo(2 + PAUSES);
            JsonNode export = home.user().get(APP + "me/export").ok().json();
            assertThat(export.get("ipsVersions")).hasSize(2 + PAUSES);
            assertThat(export.get("events").size()).isGreaterThan(PAUSES);
            assertThat(process.isAlive()).isTrue();
            assertThat(process.err()).doesNotContain("OutOfMemoryError").doesNotContain("Java heap space");
        }
    }

    /** How many versions there are by following all pages. */
    private static int versions(TestHousehold home, String query) {
        int found = 0;
        String cursor = "";
        while (cursor != null) {
            JsonNode page =
                    home.user().get(APP + "ips/versions" + query + cursor).ok().json();
            found += page.get("versions").size();
            String next = page.get("nextCursor").textValue();
            cursor = next == null ? null : "&cursor=" + next;
        }
        return found;
    }

    /** A policy of almost 32 KiB. */
    private static String largePolicy() {
        String rules = IntStream.range(0, 50)
                .mapToObj(i -> "{\"id\":\"rule-" + i + "\",\"effect\":\"block\",\"reason\":\"" + "x".repeat(290)
                        + "\",\"when\":{\"symbols\":["
                        + IntStream.range(0, 24)
                                .mapToObj(symbol -> "\"SYMBOL" + symbol + "\"")
                                .collect(Collectors.joining(","))
                        + "]}}")
                .collect(Collectors.joining(",", "[", "]"));
        String demo = TestHousehold.demo("ips.json");
        return demo.substring(0, demo.indexOf("\"standingRules\"")) + "\"standingRules\":" + rules + ",\"tier\":2}";
    }

    private static String holdings(int number) {
        String positions = IntStream.range(0, POSITIONS)
                .mapToObj(
                        i -> "{\"symbol\":\"ASSET-OF-SOME-LENGTH-" + i + "\",\"assetType\":\"tradfi\",\"quantity\":0.0"
                                + (i + 1) + ",\"price\":1." + (number + 1) + "}")
                .collect(Collectors.joining(","));
        return "{\"name\":\"Savings\",\"kind\":\"paper\",\"cash\":1,\"positions\":[" + positions + "]}";
    }
}
