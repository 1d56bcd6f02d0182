package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command that erases a payload, as it is typed beside nodes that run (docs/operations.md, Erasing a payload). */
class EraseCommandTest {
    private static final String REASON = "The rationale names a \"customer\", é";

    @TempDir
    private Path folder;

    private String url;

    @ParameterizedTest
    @EnumSource
    void an_erasure_shows_at_once_with_a_signed_entry_and_outlives_the_process(Database database) {
        url = database.fresh(folder);
        TestHousehold household;
        ApiCaller agent;
        JsonNode entry;
        try (ServiceNode node = node()) {
            household = TestHousehold.withPolicy(node.caller());
            agent = household.agent();
            long seq = decide(agent);
            page(agent);
            page(agent);

            CommandLineRun run = erase(household.userId(), seq, REASON);
            assertThat(run.out()).describedAs(run.err()).startsWith("Erased the payload of row " + seq + " of user ");

            JsonNode page = page(agent);
            entry = onlyErasure(page);
            assertThat(row(page, seq).get("payload").isNull()).isTrue();
            assertThat(entry.get("seq").longValue()).isEqualTo(seq);
            assertThat(entry.get("hash")).isEqualTo(row(page, seq).get("hash"));
            assertThat(entry.get("reason").textValue()).isEqualTo(REASON);
            assertIsSigned(entry, agent);
            assertThat(onlyErasure(page)).isEqualTo(onlyErasure(page(agent)));
            assertThat(onlyErasure(household.user().get(APP + "events").ok().json()))
                    .isEqualTo(entry);
            assertThat(run.main("erase", arguments(household.userId(), seq, "again")))
                    .isEqualTo(1);
            assertThat(run.err()).contains("The payload of row " + seq + " is erased already.");
        }
        try (ServiceNode again = node()) {
            assertThat(onlyErasure(page(agent.at(again.running().address())))).isEqualTo(entry);
        }
        assertThat(erase(household.userId(), 1, "while no node runs").err())
                .contains("is of kind ips.created, without which");
    }

    @ParameterizedTest
    @EnumSource
    void each_kind_is_erased_or_refused_and_no_page_fails_on_an_erased_row(Database database) throws Exception {
        url = database.fresh(folder);
        try (ServiceNode node = node()) {
            ProposalClient queue = ProposalClient.of(node.caller());
            ApiCaller agent = queue.agent();
            decide(agent);
            long filled = queue.queued("1000");
            queue.accept(filled).ok();
            queue.executed(List.of(filled));
            long rejected = queue.queued("2000");
            queue.reject(rejected, "{}").ok();
            queue.queued("3000");
            agent.post(API + "policy/validate", trade("buy", "DOGE", "crypto", "900000"))
                    .ok();
            agent.post(API + "policy/validate", "{\"action\":\"hold\"}");
            ApiCaller user = queue.household().user();

            List<JsonNode> rows = ChainPages.of(agent).rows();
            assertThat(rows)
                    .extracting(row -> row.get("eventType").textValue())
                    .contains("ips.created", "key.minted", "guardrail.decision", "broker.trade_observed");
            String key = ChainPages.of(agent)
                    .rows("key.minted")
                    .get(0)
                    .at("/payload/agentKeyId")
                    .textValue();
            List<Long> erased = new ArrayList<>();
            for (JsonNode row : rows) {
                EventKind kind =
                        EventKind.named(row.get("eventType").textValue()).orElseThrow();
                long seq = row.get("seq").longValue();
                CommandLineRun run = new CommandLineRun(environment());
                int code = run.main("erase", arguments(queue.household().userId(), seq, "of each kind"));
                assertThat(code).describedAs(kind + run.err()).isEqualTo(Erasure.Extent.ROW.mayErase(kind) ? 0 : 1);
                if (code == 0) {
                    erased.add(seq);
                } else {
                    assertThat(run.err()).contains("is of kind " + kind.wireName() + ", without which");
                }
            }

            assertThat(ChainPages.of(agent).rows())
                    .filteredOn(row -> row.get("payload").isNull())
                    .extracting(row -> row.get("seq").longValue())
                    .containsExactlyElementsOf(erased);
            assertThat(agent.get(API + "audit?limit=100").ok().json()).isEmpty();
            for (String path : List.of(
                    "policy/events?order=desc",
                    "policy/events?eventType=guardrail.decision",
                    "policy/events?since=2020-01-01T00:00:00Z",
                    "audit?allowed=true",
                    "audit?since=2020-01-01T00:00:00Z",
                    "audit?agentKeyId=" + key,
                    "mandate",
                    "holdings",
                    "whoami",
                    "usage")) {
                assertThat(agent.get(API + path).status()).describedAs(path).isEqualTo(200);
            }
            for (String path : List.of(
                    "requests",
                    "requests/" + filled,
                    "requests/" + rejected,
                    "audit",
                    "events",
                    "keys",
                    "ips",
                    "ips/versions",
                    "portfolio",
                    "portfolio/history",
                    "me",
                    "usage")) {
                assertThat(user.get(APP + path).status()).describedAs(path).isEqualTo(200);
            }
            assertThat(user.post(APP + "ips/preview", TestHousehold.demo("ips.json"))
                            .status())
                    .isEqualTo(200);
            assertThat(agent.post(API + "trades/propose", trade("buy", "SPY", "tradfi", "500"))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void two_nodes_show_it_at_once_whatever_they_remember() {
        url = Database.POSTGRES.fresh(folder);
        try (ServiceNode one = node();
                ServiceNode other = node()) {
            TestHousehold household = TestHousehold.withPolicy(one.caller());
            ApiCaller agent = household.agent();
            ApiCaller there = agent.at(other.running().address());
            long seq = decide(agent);
            for (ApiCaller caller : List.of(agent, there, agent, there)) {
                assertThat(page(caller).get("erasures")).isEmpty();
                assertThat(caller.get(API + "audit").ok().json()).hasSize(1);
            }

            erase(household.userId(), seq, REASON);

            for (ApiCaller caller : List.of(agent, there)) {
                assertThat(onlyErasure(page(caller)).get("seq").longValue()).isEqualTo(seq);
                assertThat(caller.get(API + "audit").ok().json()).isEmpty();
            }
        }
    }

    @Test
    void a_row_that_cannot_be_erased_is_reported_and_unchanged() {
        url = Database.H2.fresh(folder);
        try (ServiceNode node = node()) {
            TestHousehold household = TestHousehold.withPolicy(node.caller());
            ApiCaller agent = household.agent();
            long seq = decide(agent);
            List<JsonNode> before = ChainPages.of(agent).rows();
            String user = household.userId();
            String nobody = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

            assertRefused(nobody, 1, "why", "There is no chain of a user " + nobody + ".");
            for (String malformed : List.of("nouuid", "1-1-1-1-1")) {
                CommandLineRun run = new CommandLineRun(environment());
                assertThat(run.main("erase", arguments(malformed, seq, "why"))).isEqualTo(2);
                assertThat(run.err())
                        .contains("'" + malformed + "' is not the id of a user")
                        .doesNotContain("Exception");
            }
            assertRefused(user, 99, "why", "has rows 1 to " + seq + ", and no row 99.");
            assertRefused(user, 0, "why", "and no row 0.");
            assertRefused(user, -1, "why", "and no row -1.");
            for (String reason : List.of("", " ", "x".repeat(501), "a\nb")) {
                assertRefused(user, seq, reason, "The reason must have 1 to 500 characters");
            }

            assertThat(ChainPages.of(agent).rows()).isEqualTo(before);
            assertThat(page(agent).get("erasures")).isEmpty();
        }
    }

    private void assertRefused(String user, long seq, String reason, String told) {
        CommandLineRun run = new CommandLineRun(environment());
        assertThat(run.main("erase", arguments(user, seq, reason))).isEqualTo(1);
        assertThat(run.err()).contains(told);
    }

    @Test
    void a_socket_that_a_killed_service_left_is_no_obstacle() throws Exception {
        url = Database.H2.fresh(folder);
        Path socket = folder.resolve("policy.control");
        TestHousehold household;
        long seq;
        try (ServiceProcess process = ServiceProcess.start(folder, environment())) {
            ApiCaller stranger = new ApiCaller(process.address());
            household = TestHousehold.withPolicy(stranger);
            ApiCaller agent = household.agent();
            seq = decide(agent);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
            assertThat(erase(household.userId(), decide(agent), "while it runs").out())
                    .startsWith("Erased");
            process.kill();
            process.exitCode();
        }
        assertThat(socket).exists();

        CommandLineRun run = erase(household.userId(), seq, "while it is stopped");
        assertThat(run.out()).describedAs(run.err()).startsWith("Erased");
        node().close();
        assertThat(socket).doesNotExist();
    }

    @Test
    void pages_of_the_sandbox_have_no_erasures() {
        url = Database.H2.fresh(folder);
        try (ServiceNode node = node()) {
            TestHousehold household = TestHousehold.withPolicy(node.caller());
            assertThat(page(household.agent(household.mint("test"))).get("erasures"))
                    .isEmpty();
        }
    }

    @Test
    void a_database_that_is_not_there_is_not_made() {
        url = Database.H2.fresh(folder);

        CommandLineRun run = new CommandLineRun(environment());
        assertThat(run.main("erase", arguments("7c9e6679-7425-40de-944b-e07fc1f90ae7", 1, "why")))
                .isEqualTo(1);

        assertThat(run.err()).contains("There is no database ", "POLICY_DB_URL");
        assertThat(folder).isEmptyDirectory();
    }

    private void assertIsSigned(JsonNode entry, ApiCaller agent) {
        Erasure read = Erasure.read(JsonReader.read(entry.toString().getBytes(StandardCharsets.UTF_8))
                        .orElseThrow())
                .orElseThrow();
        JsonNode keys = agent.get(API + "signing-keys").ok().json().get("keys");
        JsonNode key = StreamSupport.stream(keys.spliterator(), false)
                .filter(it -> it.get("kid").textValue().equals(read.signingKeyId()))
                .findFirst()
                .orElseThrow();
        assertThat(key.get("purpose").textValue()).isEqualTo("event");
        assertThat(SignatureCheck.ofJdk().isSignedBy(key.get("x").textValue(), read.message(), read.signature()))
                .isTrue();
    }

    private static long decide(ApiCaller agent) {
        return Long.parseLong(agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "100"))
                .ok()
                .header("X-Policy-Event-Seq"));
    }

    private static JsonNode page(ApiCaller agent) {
        return agent.get(API + "policy/events").ok().json();
    }

    private static JsonNode onlyErasure(JsonNode page) {
        assertThat(page.get("erasures")).hasSize(1);
        return page.at("/erasures/0");
    }

    private static JsonNode row(JsonNode page, long seq) {
        return page.at("/events/" + (seq - 1));
    }

    private CommandLineRun erase(String user, long seq, String reason) {
        CommandLineRun run = new CommandLineRun(environment());
        run.main("erase", arguments(user, seq, reason));
        return run;
    }

    private static String[] arguments(String user, long seq, String reason) {
        return new String[] {"--user", user, "--seq", Long.toString(seq), "--reason", reason};
    }

    private ServiceNode node() {
        return ServiceNode.start(folder, url);
    }

    private Map<String, String> environment() {
        return ServiceNode.environment(folder, url, Map.of());
    }
}
