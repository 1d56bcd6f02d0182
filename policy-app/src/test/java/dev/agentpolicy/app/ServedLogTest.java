package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.LoggedRows;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogProof;
import dev.agentpolicy.domain.event.tlog.LogTree;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The transparency log of running nodes, as others read it. */
class ServedLogTest {
    private static final String TRADE = TestHousehold.trade("buy", "SPY", "tradfi", "1");

    @TempDir
    private Path folder;

    @Test
    void every_decision_is_in_the_log_and_has_a_proof_that_stands_alone() throws Exception {
        try (ServiceNode node = ServiceNode.start(folder, Database.H2.fresh(folder))) {
            TestHousehold household = TestHousehold.withPolicy(node.caller());
            JsonNode minted = household.mint("live");
            ApiCaller agent = household.agent(minted);
            FollowedLog log =
                    new FollowedLog(node.running().address(), minted.get("key").textValue());
            Checkpoint early = log.await(1);
            for (int i = 0; i < 5; i++) {
                agent.post(TestHousehold.API + "policy/validate", TRADE).ok();
            }
            long last = last(agent);
            awaitProof(agent, last);
            Checkpoint late = log.checkpoint();

            assertThat(late.origin()).isEqualTo("localhost/tlog");
            List<byte[]> entries = log.entries(late);
            LogTree tree = log.tree(late);
            assertThat(LogTree.isConsistent(
                            early.size(),
                            early.rootHash(),
                            late.size(),
                            late.rootHash(),
                            tree.consistency(early.size())))
                    .isTrue();
            for (long seq = 1; seq <= last; seq++) {
                assertProof(agent, household, seq, entries);
            }
            assertThat(agent.get(TestHousehold.API + "policy/events/" + (last + 1) + "/proof")
                            .status())
                    .isEqualTo(404);
            assertThat(agent.get(TestHousehold.API + "policy/events/0/proof").status())
                    .isEqualTo(404);
            JsonNode own = household.user().get(TestHousehold.APP + "log").ok().json();
            assertThat(own.get("verifierKey").textValue())
                    .isEqualTo(log.verifier("localhost/tlog").text());
            byte[] secret = Base64.getUrlDecoder().decode(own.get("secret").textValue());
            assertThat(entries)
                    .contains(
                            ChainLeaf.of(secret, last, newest(agent).get("hash").textValue())
                                    .entry());
            assertWhoMayRead(node, household, minted);
        }
    }

    private static long last(ApiCaller agent) {
        return newest(agent).get("seq").longValue();
    }

    private static JsonNode newest(ApiCaller agent) {
        return agent.get(TestHousehold.API + "policy/events?order=desc&limit=1")
                .ok()
                .json()
                .at("/events/0");
    }

    static void awaitProof(ApiCaller agent, long seq) throws InterruptedException {
        awaitProof(agent, TestHousehold.API + "policy/", seq);
    }

    private static void awaitProof(ApiCaller caller, String api, long seq) throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            ApiCaller.Seen proof = caller.get(api + "events/" + seq + "/proof");
            if (proof.status() == 200) {
                return;
            }
            assertThat(proof.json().get("error").textValue()).isEqualTo("not_logged");
            assertThat(proof.header("Retry-After")).isNotEmpty();
            Thread.sleep(100);
        }
        throw new AssertionError("Row " + seq + " is not logged.");
    }

    private static void assertProof(ApiCaller agent, TestHousehold household, long seq, List<byte[]> entries)
            throws Exception {
        String text = agent.get(TestHousehold.API + "policy/events/" + seq + "/proof")
                .ok()
                .text();
        assertThat(household
                        .user()
                        .get(TestHousehold.APP + "events/" + seq + "/proof")
                        .ok()
                        .text())
                .startsWith(text.substring(0, text.indexOf("\n\n")));
        LogProof proof = LogProof.read(text).orElseThrow();
        JsonNode extra = new JsonMapper().readTree(Base64.getDecoder().decode(proof.extra()));
        JsonNode rows = extra.get("rows");
        assertThat(extra.get("userId").textValue()).isEqualTo(household.userId());
        assertThat(rows.get(0).get("seq").longValue()).isEqualTo(seq);
        assertThat(rows.get(0).has("payload")).isFalse();
        for (int i = 1; i < rows.size(); i++) {
            assertThat(rows.get(i).get("prevHash")).isEqualTo(rows.get(i - 1).get("hash"));
        }
        ChainLeaf leaf = new ChainLeaf(
                extra.get("commitment").textValue(),
                rows.get(rows.size() - 1).get("hash").textValue());
        Checkpoint covered = Checkpoint.read(proof.checkpoint().text()).orElseThrow();
        assertThat(proof.includes(leaf.entry(), covered)).isTrue();
        assertThat(entries.get((int) proof.index())).isEqualTo(leaf.entry());
    }

    @Test
    void a_proof_of_a_row_before_large_ones_leads_to_the_row_that_has_the_entry() throws Exception {
        String url = Database.H2.fresh(folder);
        TestHousehold household;
        try (ServiceNode node = ServiceNode.start(folder, url, Map.of("POLICY_TLOG", "off"))) {
            household = TestHousehold.withPolicy(node.caller());
            for (int i = 0; i < 78; i++) {
                household.user().put(TestHousehold.APP + "ips", largePolicy(i)).ok();
            }
        }
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            ApiCaller owner = node.caller().with("Cookie", household.cookie());
            String path = TestHousehold.APP + "events/";
            long last = owner.get(path.substring(0, path.length() - 1) + "?order=desc&limit=1")
                    .ok()
                    .json()
                    .at("/events/0/seq")
                    .longValue();
            awaitProof(owner, TestHousehold.APP, last);
            LogProof proof =
                    LogProof.read(owner.get(path + "1/proof").ok().text()).orElseThrow();
            LoggedRows rows = LoggedRows.read(CanonicalForm.readStored(
                            new String(Base64.getDecoder().decode(proof.extra()), StandardCharsets.UTF_8)))
                    .orElseThrow();

            assertThat(rows.areLinked()).isTrue();
            assertThat(rows.last().seq()).isEqualTo(last);
            assertThat(proof.includes(
                            new ChainLeaf(rows.commitment(), rows.last().hash()).entry(),
                            Checkpoint.read(proof.checkpoint().text()).orElseThrow()))
                    .isTrue();
        }
    }

    /** Documents of about 30 KB, of which a page has at most 70. */
    private static String largePolicy(int number) {
        String symbols = IntStream.range(0, 23)
                .mapToObj(i -> "\"SYMB" + (char) ('A' + i / 26) + (char) ('A' + i % 26) + "\"")
                .collect(Collectors.joining(","));
        String rules = IntStream.range(0, 50)
                .mapToObj(i -> "{\"id\":\"rule-" + i + "\",\"effect\":\"block\",\"reason\":\"" + "x".repeat(290)
                        + number + "\",\"when\":{\"symbols\":[" + symbols + "]}}")
                .collect(Collectors.joining(","));
        return "{\"allowedActions\":[\"buy\",\"sell\"],\"cashFloor\":0.05,\"crypto\":{\"max\":0.35,\"min\":0.1,\"target\":0.2},"
                + "\"maxDrawdown\":0.25,\"maxSlippage\":0.01,\"tradfi\":{\"max\":0.8,\"min\":0.55,\"target\":0.65},"
                + "\"standingRules\":[" + rules + "]}";
    }

    private static void assertWhoMayRead(ServiceNode node, TestHousehold household, JsonNode live) {
        ApiCaller stranger = node.caller();
        JsonNode test = household.mint("test");
        String path = "/tlog/checkpoint";

        assertThat(stranger.get(path).status()).isEqualTo(401);
        assertThat(household.agent(test).get(path).status()).isEqualTo(403);
        assertThat(household.agent(live).get(path).status()).isEqualTo(200);
        assertThat(household.user().get(path).status()).isEqualTo(200);
        assertThat(household.user().get("/tlog/tile/0/000.p/1").status()).isEqualTo(200);
        assertThat(household.user().get("/tlog/tile/0/001").status()).isEqualTo(404);
        assertThat(household.user().get("/tlog/tile/0/../0/000.p/1").status()).isEqualTo(404);
        assertThat(household.user().get("/tlog/tile/0/000.p/255").status()).isEqualTo(404);
        assertThat(household.user().get("/tlog/other").status()).isEqualTo(404);
        assertThat(household
                        .agent(test)
                        .get(TestHousehold.API + "policy/events/1/proof")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void two_nodes_write_one_log_without_a_leaf_twice_and_the_second_goes_on_when_the_first_ends() throws Exception {
        String url = Database.POSTGRES.fresh(folder);
        Map<String, String> settings = Map.of("POLICY_TLOG", "public", "POLICY_BASE_URL", "https://example.com/policy");
        try (ServiceNode second = ServiceNode.start(folder, url, settings)) {
            TestHousehold household;
            JsonNode minted;
            try (ServiceNode first = ServiceNode.start(folder, url, settings)) {
                household = TestHousehold.withPolicy(first.caller());
                minted = household.mint("live");
                for (int i = 0; i < 20; i++) {
                    ServiceNode node = i % 2 == 0 ? first : second;
                    new ApiCaller(node.running().address())
                            .withKey(minted.get("key").textValue())
                            .post(TestHousehold.API + "policy/validate", TRADE)
                            .ok();
                }
            }
            ApiCaller agent = new ApiCaller(second.running().address())
                    .withKey(minted.get("key").textValue());
            agent.post(TestHousehold.API + "policy/validate", TRADE).ok();
            awaitProof(agent, last(agent));

            FollowedLog log = new FollowedLog(
                    second.running().address(), minted.get("key").textValue());
            List<byte[]> entries = log.entries(log.checkpoint());
            assertThat(log.checkpoint().origin()).isEqualTo("example.com/policy/tlog");
            assertThat(entries.stream().map(entry -> Arrays.toString(entry)).distinct())
                    .hasSameSizeAs(entries);
            assertThat(new ApiCaller(second.running().address())
                            .get("/tlog/checkpoint")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_database_that_went_back_signs_no_other_history_until_a_log_with_a_new_origin_begins() throws Exception {
        String url = Database.H2.fresh(folder);
        JsonNode minted;
        TestHousehold household;
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            household = TestHousehold.withPolicy(node.caller());
            minted = household.mint("live");
            new FollowedLog(node.running().address(), minted.get("key").textValue()).await(1);
        }
        Runnable backup = Database.H2.backUp(folder, url);
        String key = minted.get("key").textValue();
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            FollowedLog log = new FollowedLog(node.running().address(), key);
            long before = log.await(1).size();
            new ApiCaller(node.running().address())
                    .withKey(key)
                    .post(TestHousehold.API + "policy/validate", TRADE)
                    .ok();
            log.await(before + 1);
        }
        backup.run();
        CannotStart refused = catchThrowableOfType(
                CannotStart.class, () -> ServiceNode.start(folder, url).close());
        String code = refused.getMessage().replaceAll(".*POLICY_ROLLBACK_OVERRIDE=([0-9a-f]{8})\\.", "$1");
        try (ServiceNode node = ServiceNode.start(folder, url, Map.of("POLICY_ROLLBACK_OVERRIDE", code))) {
            ApiCaller agent = new ApiCaller(node.running().address()).withKey(key);
            agent.post(TestHousehold.API + "policy/validate", TRADE).ok();
            awaitStopped(node);
            agent.post(TestHousehold.API + "policy/validate", TRADE).ok();
        }
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            awaitStopped(node);
        }
    }

    private static void awaitStopped(ServiceNode node) throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            if (node.caller().get("/metrics").text().contains("policy_tlog_stopped 1.0")) {
                return;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("The log is not stopped.");
    }

    @Test
    void a_setting_of_another_origin_is_refused_and_a_log_that_is_off_has_no_paths() {
        String url = Database.H2.fresh(folder);
        ServiceNode.start(folder, url, Map.of("POLICY_TLOG_ORIGIN", "example.com/one"))
                .close();

        assertThatExceptionOfType(CannotStart.class)
                .isThrownBy(() -> ServiceNode.start(folder, url, Map.of("POLICY_TLOG_ORIGIN", "example.com/two"))
                        .close())
                .withMessageContaining("has the origin example.com/one");
        try (ServiceNode node = ServiceNode.start(folder, url, Map.of("POLICY_TLOG", "off"))) {
            TestHousehold household = TestHousehold.withPolicy(node.caller());
            assertThat(household.user().get("/tlog/checkpoint").status()).isEqualTo(404);
            assertThat(household.user().get(TestHousehold.APP + "log").status()).isEqualTo(404);
            assertThat(household
                            .user()
                            .get(TestHousehold.APP + "events/1/proof")
                            .status())
                    .isEqualTo(404);
        }
    }
}
