package dev.agentpolicy.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.app.CommandLineRun;
import dev.agentpolicy.app.Database;
import dev.agentpolicy.app.ServiceNode;
import dev.agentpolicy.app.ServiceProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wrong setting ends the start with one line that says what to change, and exit code 1. */
class CannotStartTest {
    @TempDir
    Path folder;

    @Test
    void a_setting_that_makes_no_sense() {
        assertThat(refusal(Map.of("POLICY_PORT", "http")))
                .isEqualTo("POLICY_PORT must be a whole number from 0 to 65535, not 'http'.\n");
    }

    @Test
    void a_port_that_is_in_use() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());

            assertThat(refusal(Map.of("POLICY_PORT", port)))
                    .startsWith("Cannot listen on 127.0.0.1:" + port + ": ")
                    .contains("POLICY_PORT");
        }
    }

    @Test
    void an_address_that_is_not_of_this_machine() {
        assertThat(refusal(Map.of("POLICY_HOST", "192.0.2.1"))).startsWith("Cannot listen on 192.0.2.1:0: ");
        assertThat(refusal(Map.of("POLICY_HOST", "no.such.host.invalid")))
                .startsWith("Cannot listen on no.such.host.invalid:0: ");
    }

    @Test
    void a_database_that_another_process_has_open() throws Exception {
        try (ServiceProcess first = ServiceProcess.startMain(folder, environment(Map.of()))) {
            first.address();

            assertThat(refusal(Map.of())).contains("another process");
        }
    }

    @Test
    void a_database_that_is_not_there() {
        assertThat(refusal(Map.of("POLICY_DB_URL", "jdbc:postgresql://127.0.0.1:1/policy")))
                .contains("PostgreSQL");
    }

    @Test
    void a_database_that_would_forget_what_it_acknowledged() {
        String database = TestPostgres.freshDatabase();
        String name = database.replaceAll(".*/([^?]*).*", "$1");
        TestPostgres.execute(database, "ALTER DATABASE " + name + " SET synchronous_commit = off");

        assertThat(refusal(Map.of("POLICY_DB_URL", database))).contains("synchronous_commit");
        assertThat(refusal(Map.of("POLICY_DB_URL", Database.H2.fresh(folder) + ";WRITE_DELAY=500")))
                .contains("WRITE_DELAY");
    }

    @Test
    void a_master_key_that_cannot_be_read() throws IOException {
        Path key = folder.resolve("master-key.json");

        Files.writeString(key, "{}");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertThat(refusal(Map.of())).contains("master-key.json is damaged");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(refusal(Map.of())).contains("chmod 600");
    }

    @Test
    void a_command_that_does_not_exist() {
        CommandLineRun run = new CommandLineRun();

        assertThat(run.main("serv")).isEqualTo(2);
        assertThat(run.err()).contains("serv");
    }

    /** What it says on stderr, in one line, while it says nothing on stdout. */
    private String refusal(Map<String, String> settings) {
        CommandLineRun run = new CommandLineRun(environment(settings));

        assertThat(run.main("serve")).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1);
        return run.err();
    }

    private Map<String, String> environment(Map<String, String> settings) {
        return ServiceNode.environment(folder, Database.H2.fresh(folder), settings);
    }
}
