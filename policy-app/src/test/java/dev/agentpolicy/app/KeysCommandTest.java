package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that rotates, as it is typed. */
class KeysCommandTest {
    @TempDir
    private Path folder;

    private CommandLineRun run;

    @BeforeEach
    void keys() {
        run = new CommandLineRun(ServiceNode.environment(folder, Database.H2.fresh(folder), Map.of()));
    }

    @Test
    void a_key_is_published_first_and_in_use_when_told_to() {
        assertThat(run.main("keys", "rotate")).describedAs(run.err()).isZero();
        assertThat(run.out()).contains("event    pending");
        assertThat(run.main("keys", "list")).isZero();
        assertThat(run.out()).contains("event    active", "event    pending", "anchor   active", "sandbox  active");
    }

    @Test
    void a_database_without_a_key_is_not_the_one_that_was_meant() {
        assertThat(run.main("keys", "list")).isEqualTo(1);
        assertThat(run.err())
                .contains("There is no signing key in this database")
                .contains("POLICY_DB_URL");
    }

    @Test
    void at_once_the_old_key_retires() {
        assertThat(run.main("keys", "rotate", "--now")).describedAs(run.err()).isZero();
        assertThat(run.out()).contains("event    active");
        run.main("keys", "list");
        assertThat(run.out()).contains("event    retired").doesNotContain("pending");
    }

    @Test
    void a_new_master_key_opens_what_the_old_one_no_longer_does() throws Exception {
        run.main("keys", "rotate");
        Path file = folder.resolve("master-key.json");
        String old = Files.readString(file);

        assertThat(run.main("keys", "rewrap")).describedAs(run.err()).isZero();
        assertThat(run.out()).startsWith("4 keys are sealed with a new master key in ");
        assertThat(run.main("keys", "rotate", "--now")).describedAs(run.err()).isZero();

        Files.writeString(file, old);
        assertThat(run.main("keys", "rotate", "--now")).isEqualTo(1);
        assertThat(run.err()).contains("does not open the event signing key");
    }

    @Test
    void nodes_that_run_go_on_after_a_new_master_key_and_over_the_next_rotation() throws Exception {
        String url = Database.POSTGRES.fresh(folder);
        CommandLineRun beside = new CommandLineRun(ServiceNode.environment(folder, url, Map.of()));
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            ApiCaller agent = TestHousehold.withPolicy(node.caller()).agent();
            decide(agent);

            assertThat(beside.main("keys", "rewrap")).describedAs(beside.err()).isZero();
            decide(agent);
            assertThat(beside.main("keys", "rotate", "--now"))
                    .describedAs(beside.err())
                    .isZero();
            for (int i = 0;
                    i < 400 && ChainPages.of(agent).rows("signing_key.rotated").isEmpty();
                    i++) {
                decide(agent);
                TimeUnit.MILLISECONDS.sleep(100);
            }

            assertThat(ChainPages.of(agent).rows("signing_key.rotated")).hasSize(1);
            decide(agent);
        }
    }

    private static void decide(ApiCaller agent) {
        agent.post(TestHousehold.API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "100"))
                .ok();
    }

    @Test
    void a_database_without_keys_gets_no_new_master_key() {
        assertThat(run.main("keys", "rewrap")).isEqualTo(1);
        assertThat(run.err()).contains("There is no signing key in this database");
        assertThat(folder.resolve("master-key.json")).doesNotExist();
    }

    @Test
    void a_stolen_key_is_revoked_by_a_root_key() throws Exception {
        String root = folder.resolve("root.json").toString();
        String since = "2026-11-21T09:40:00.000000Z";

        assertThat(run.main("keys", "root", root)).describedAs(run.err()).isZero();
        assertThat(Files.readString(Path.of(root))).contains("Ed25519PrivateKey");
        assertThat(run.main("keys", "root", root)).isNotZero();
        assertThat(run.main("keys", "rotate", "--compromised", "--since", since, "--root-key", root))
                .describedAs(run.err())
                .isZero();
        run.main("keys", "list");
        assertThat(run.out()).contains("event    revoked", "event    active", "root     active");
    }

    @Test
    void invalid_arguments_are_reported() {
        assertThat(run.main("keys")).isEqualTo(2);
        assertThat(run.err()).contains("Say what to do");
        assertThat(run.main("keys", "rotate", "--compromised")).isEqualTo(2);
        assertThat(run.err()).contains("--compromised goes with --since");
        assertThat(run.main("keys", "rotate", "--compromised", "--since", "yesterday", "--root-key", "x"))
                .isEqualTo(2);
        assertThat(run.err()).contains("--since must be a time that has passed");
    }
}
