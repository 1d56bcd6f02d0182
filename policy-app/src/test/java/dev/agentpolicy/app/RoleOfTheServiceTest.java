package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.app.config.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose role can only add events, made by the statements of docs/operations.md. */
class RoleOfTheServiceTest {
    private static final Path PAGE = Path.of("../docs/operations.md");
    private static final String UNTOLD = "more rights than it needs could not be asked";
    private static final String WARNING = "can change or delete rows of policy_event";

    @TempDir
    private Path folder;

    @Test
    void lives_a_household_and_cannot_change_or_delete_an_event() throws Exception {
        String owner = TestPostgres.freshDatabase();
        try (JdbcStore migrated = Wiring.open(Config.of(ServiceNode.environment(folder, owner, Map.of())))) {
            assertThat(migrated.isReady()).isTrue();
        }
        String service = restricted(owner);
        String user;
        String seq;

        try (CapturedLog log = new CapturedLog();
                ServiceNode node = ServiceNode.start(folder, service)) {
            ProposalClient queue = ProposalClient.of(node.caller());
            assertThat(queue.accept(queue.queued("1000")).status()).isEqualTo(200);
            assertThat(queue.reject(queue.queued("10"), "{}").status()).isEqualTo(200);
            seq = queue.agent()
                    .post(TestHousehold.API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                    .ok()
                    .header("X-Policy-Event-Seq");
            user = queue.household().userId();
            queue.household().user().delete(TestHousehold.APP + "session").ok();
            assertThat(log.messages()).noneMatch(it -> it.contains(WARNING) || it.contains("failed"));
        }
        CommandLineRun erase = new CommandLineRun(ServiceNode.environment(folder, service, Map.of()));
        assertThat(erase.main("erase", "--user", user, "--seq", seq, "--reason", "why"))
                .isEqualTo(1);
        assertThat(erase.err())
                .startsWith("Nothing was erased: the database role lacks the right to UPDATE policy_event.")
                .contains("owner of the schema", "permission denied for table policy_event")
                .hasLineCount(1);
        for (String forbidden : List.of(
                "UPDATE policy_event SET payload_canonical = NULL",
                "DELETE FROM policy_event",
                "TRUNCATE policy_event",
                "ALTER TABLE policy_event DISABLE TRIGGER ALL",
                "UPDATE installation SET id = gen_random_uuid()",
                "DROP TABLE policy_event")) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .describedAs(forbidden)
                    .isThrownBy(() -> TestPostgres.execute(service, forbidden))
                    .withMessageMatching(".*(permission denied|must be owner).*");
        }
        ServiceNode.start(folder, service).close();
    }

    @Test
    void deletes_accounts_whose_payloads_the_owner_of_the_schema_erases() throws Exception {
        String owner = TestPostgres.freshDatabase();
        try (JdbcStore migrated = Wiring.open(Config.of(ServiceNode.environment(folder, owner, Map.of())))) {
            assertThat(migrated.isReady()).isTrue();
        }
        String service = restricted(owner);
        try (ServiceNode node = ServiceNode.start(folder, service)) {
            ProposalClient queue = ProposalClient.of(node.caller());
            queue.queued("10");
            ApiCaller user = queue.household().user();
            assertThat(user.with("Content-Type", "application/json")
                            .send("DELETE", TestHousehold.APP + "me", "{\"password\":\"correct horse battery\"}")
                            .status())
                    .isEqualTo(204);
            assertThat(user.get(TestHousehold.APP + "me").status()).isEqualTo(401);
        }
        assertThat(payloads(owner)).isPositive();

        CommandLineRun refused = new CommandLineRun(ServiceNode.environment(folder, service, Map.of()));
        assertThat(refused.main("erase-deleted")).isEqualTo(1);
        assertThat(refused.err()).contains("lacks the right to UPDATE policy_event");
        CommandLineRun erased = new CommandLineRun(ServiceNode.environment(folder, owner, Map.of()));
        assertThat(erased.main("erase-deleted")).isZero();
        assertThat(erased.out()).matches("Erased \\d+ payloads of 1 deleted accounts\\.\\s*");
        assertThat(payloads(owner)).isZero();
        CommandLineRun again = new CommandLineRun(ServiceNode.environment(folder, owner, Map.of()));
        assertThat(again.main("erase-deleted")).isZero();
        assertThat(again.out()).startsWith("Erased 0 payloads of 0 deleted accounts.");
    }

    private static long payloads(String url) {
        return TestStores.number(url, "SELECT count(*) FROM policy_event WHERE payload_canonical IS NOT NULL");
    }

    @Test
    void that_could_change_an_event_is_warned_of_at_the_start() throws Exception {
        String owner = TestPostgres.freshDatabase();
        assertThat(warnings(owner)).hasSize(1);
        String service = restricted(owner);
        // A cluster has no rights on columns.
        String update = TestPostgres.isDistributed() ? "UPDATE" : "UPDATE (payload_canonical)";
        for (String excess : List.of(update, "DELETE", "TRUNCATE")) {
            TestPostgres.execute(owner, "GRANT " + excess + " ON policy_event TO " + role(service));
            assertThat(warnings(service)).describedAs(excess).hasSize(1);
            TestPostgres.execute(owner, "REVOKE " + excess + " ON policy_event FROM " + role(service));
        }
    }

    /** What a start says of the rights; a busy database is asked again. */
    private List<String> warnings(String url) throws Exception {
        while (true) {
            try (CapturedLog log = new CapturedLog()) {
                ServiceNode.start(folder, url).close();
                List<String> said = log.messages();
                if (said.stream().noneMatch(it -> it.contains(UNTOLD))) {
                    return said.stream().filter(it -> it.contains(WARNING)).toList();
                }
            }
        }
    }

    /** The address of the same database for a role of its own. */
    private static String restricted(String owner) throws Exception {
        String name = owner.substring(owner.lastIndexOf('/') + 1, owner.indexOf('?'));
        String role = name + "_service";
        String page = Files.readString(PAGE);
        int begin = page.indexOf("CREATE ROLE policy_service");
        String statements = page.substring(begin, page.indexOf("```", begin));
        TestPostgres.execute(owner, statements.replace("policy_service", role));
        return owner.replaceFirst("user=postgres", "user=" + role);
    }

    private static String role(String url) {
        return url.replaceAll(".*[?&]user=([^&]*).*", "$1");
    }
}
