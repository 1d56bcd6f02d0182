package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user who writes as much as possible, with calls on two nodes at once. */
class OwnerQuotasTest {
    private static final Map<String, String> QUOTAS =
            Map.of("POLICY_IPS_VERSIONS_PER_DAY", "20", "POLICY_HOLDINGS_WRITES_PER_DAY", "10");

    @Test
    void what_an_owner_writes_is_limited_exactly_on_two_nodes_and_over_a_restart(@TempDir Path folder) {
        String url = Database.POSTGRES.fresh(folder);
        TestHousehold home;
        try (ServiceNode one = ServiceNode.start(folder, url, QUOTAS);
                ServiceNode other = ServiceNode.start(folder, url, QUOTAS)) {
            home = TestHousehold.withPolicy(one.caller());
            TestHousehold stranger = TestHousehold.withPolicy(one.caller());
            ApiCaller here = home.user();
            ApiCaller there = here.at(other.caller().address());

            List<Seen> versions =
                    ConcurrentCalls.calls(30, i -> (i % 2 == 0 ? here : there).put(APP + "ips", policy(i)));
            List<Seen> holdings = ConcurrentCalls.calls(
                    20, i -> (i % 2 == 0 ? here : there).put(APP + "custodians/paper", holdings(i)));

            assertThat(versions.stream().filter(seen -> seen.status() == 200)).hasSize(19);
            versions.stream().filter(seen -> seen.status() != 200).forEach(OwnerQuotasTest::refused);
            assertThat(holdings.stream().filter(seen -> seen.status() == 200)).hasSize(9);
            holdings.stream().filter(seen -> seen.status() != 200).forEach(OwnerQuotasTest::refused);
            there.post(APP + "pause", "{}").ok();
            there.post(APP + "resume", "{}").ok();
            stranger.user().put(APP + "ips", policy(1)).ok();
            stranger.user().put(APP + "custodians/paper", holdings(1)).ok();
        }
        try (ServiceNode again = ServiceNode.start(folder, url, QUOTAS)) {
            ApiCaller here = home.user().at(again.caller().address());
            refused(here.put(APP + "ips", policy(40)));
            refused(here.put(APP + "custodians/paper", holdings(40)));
            refused(here.post(
                    APP + "custodians/paper/trades",
                    "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":1}"));
            here.post(APP + "pause", "{}").ok();
            assertThat(here.get(APP + "ips").ok().json().get("ipsVersion").intValue())
                    .isEqualTo(20 + 2 + 1);
        }
    }

    private static String policy(int number) {
        return TestHousehold.demo("ips.json").replace("0.05", "0.0" + (100 + number));
    }

    private static String holdings(int number) {
        return "{\"name\":\"Savings\",\"kind\":\"paper\",\"cash\":" + (1 + number) + ",\"positions\":[]}";
    }

    private static void refused(Seen seen) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(429);
        assertThat(seen.json().get("error").textValue()).isEqualTo("quota_exceeded");
        assertThat(Long.parseLong(seen.header("Retry-After"))).isBetween(1L, 86_400L);
    }
}
