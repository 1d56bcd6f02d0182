package dev.agentpolicy.adapter.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.adapter.jdbc.OnOneStore;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An H2 file that was damaged while it was closed. */
class DamagedH2FileTest extends OnOneStore {
    private static final int PIECES = 24;

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void openAndAddRows() {
        open(TestStores.h2(folder));
        file = folder.resolve("new").resolve("policy.mv.db");
        UserId user = StoreSamples.user();
        AgentKeyId key = mint(user).id();
        for (int i = 0; i < 50; i++) {
            decide(user, key, true);
        }
        close();
    }

    @Test
    void that_was_cut_opens_at_an_older_state_or_is_said_to_be_damaged() throws Exception {
        byte[] whole = Files.readAllBytes(file);
        List<String> refusals = new ArrayList<>();
        for (int pieces = 1; pieces < PIECES; pieces++) {
            Files.write(file, Arrays.copyOf(whole, whole.length / PIECES * pieces));
            try {
                open(TestStores.h2(folder));
                close();
            } catch (UnusableDatabase refused) {
                refusals.add(String.valueOf(refused.getMessage()));
            }
        }

        // Of a file that ends amid the first migrations, which are then carried out once more.
        refusals.removeIf(refusal -> refusal.startsWith("The schema cannot be brought up to date"));
        assertThat(refusals).allSatisfy(this::assertDamaged);
    }

    @Test
    void that_is_overwritten_is_said_to_be_damaged() throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, (byte) 'x');
        Files.write(file, bytes);

        assertThatExceptionOfType(UnusableDatabase.class)
                .isThrownBy(() -> open(TestStores.h2(folder)))
                .satisfies(refused -> assertDamaged(String.valueOf(refused.getMessage())));
    }

    @Test
    void a_wrong_password_and_a_file_that_must_not_be_read_are_no_damage() {
        H2Dialect dialect = new H2Dialect(TestStores.h2(folder));

        assertThat(dialect.unreachable(new SQLException("Wrong user name or password", "28000", 28000)))
                .contains("check POLICY_DB_URL, POLICY_DB_USER and POLICY_DB_PASSWORD");
        assertThat(dialect.unreachable(
                        new SQLException("IO Exception", "90028", 90028, new IOException("Permission denied"))))
                .contains("check POLICY_DB_URL");
        assertDamaged(dialect.unreachable(new SQLException("IO Exception: File corrupted", "90028", 90028)));
        assertThat(dialect.unreachable(new SQLException("In use", "90020", H2Dialect.ALREADY_OPEN)))
                .contains("is open in another process");
    }

    private void assertDamaged(String message) {
        assertThat(message)
                .contains(
                        "The H2 database file " + file.toAbsolutePath() + " is damaged",
                        "Keep a copy",
                        "restore a backup")
                .doesNotContain("POLICY_DB_PASSWORD");
    }
}
