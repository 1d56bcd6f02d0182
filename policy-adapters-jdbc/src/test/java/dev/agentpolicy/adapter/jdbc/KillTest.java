package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed in the middle of its work has lost nothing that it acknowledged. */
class KillTest {
    private static final int CYCLES = 3;
    private static final int MIN_LINES = 200;
    private static final int MORE_MILLIS = 600;

    private final long seed = ExperimentSettings.seed(KillTest.class);
    private final Random random = new Random(seed);
    private final List<UserId> users =
            Stream.generate(StoreSamples::user).limit(3).toList();
    private final Map<UserId, List<Receipt>> acknowledged = new HashMap<>();

    @TempDir
    Path folder;

    @Test
    void nothing_acknowledged_is_lost_on_h2() throws Exception {
        String url = TestStores.h2(folder);
        for (int i = 0; i < CYCLES; i++) {
            writeAndKill(url, true);
            check(url);
        }
    }

    @Test
    void nothing_acknowledged_is_lost_on_postgres() throws Exception {
        String url = TestPostgres.freshDatabase();
        for (int i = 0; i < CYCLES; i++) {
            writeAndKill(url, false);
            check(url);
        }
    }

    private void writeAndKill(String url, boolean isLocked) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                KilledWriter.class.getName(),
                url,
                folder.resolve("master-key.json").toString()));
        users.forEach(user -> command.add(user.toString()));
        Process writer = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = writer.inputReader(StandardCharsets.UTF_8)) {
            for (int i = 0; i < MIN_LINES; i++) {
                acknowledge(Optional.ofNullable(lines.readLine()).orElseThrow());
            }
            if (isLocked) {
                assertThatThrownBy(() -> open(url))
                        .isInstanceOf(UnusableDatabase.class)
                        .hasMessageContaining("another process");
            }
            Thread killer = new Thread(() -> kill(writer));
            killer.start();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                acknowledge(line);
            }
            killer.join();
        } finally {
            writer.destroyForcibly().waitFor();
        }
    }

    private void kill(Process writer) {
        try {
            Thread.sleep(random.nextInt(MORE_MILLIS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        // Not by Process, which would also close the stream with what is acknowledged and not yet read.
        writer.toHandle().destroyForcibly();
    }

    /** Takes a line; the last one may be cut off, and says nothing then. */
    private void acknowledge(String line) {
        String[] parts = line.split(" ");
        if (parts.length == 3 && parts[2].length() == 64) {
            acknowledged
                    .computeIfAbsent(new UserId(UUID.fromString(parts[0])), any -> new ArrayList<>())
                    .add(new Receipt(Long.parseLong(parts[1]), parts[2]));
        }
    }

    private void check(String url) {
        try (JdbcStore store = open(url)) {
            for (UserId user : users) {
                List<PolicyEvent> chain = chain(store, user);
                Map<Long, String> hashes = new HashMap<>();
                chain.forEach(event -> hashes.put(event.seq(), event.hash()));
                assertThat(acknowledged.getOrDefault(user, List.of()).stream()
                                .filter(receipt -> !receipt.hash().equals(hashes.get(receipt.seq()))))
                        .as("acknowledged and lost, seed %d", seed)
                        .isEmpty();
                assertThat(store.eventLog().head(user).seq()).isEqualTo(chain.size());
                assertThat(EventChain.verify(
                                        ChainPoint.fresh(user),
                                        chain,
                                        store.sealedKeys().all(),
                                        Purpose.EVENT,
                                        new TinkSignatureCheck())
                                .isIntact())
                        .as("seed %d", seed)
                        .isTrue();
            }
        }
        assertThat(acknowledged).isNotEmpty();
    }

    private static List<PolicyEvent> chain(JdbcStore store, UserId user) {
        List<PolicyEvent> chain = new ArrayList<>();
        List<PolicyEvent> page;
        do {
            EventQuery query = new EventQuery(
                    EventQuery.MAX_LIMIT,
                    EventQuery.Direction.ASC,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.of(chain.size()));
            page = store.eventLog().page(user, query).rows();
            chain.addAll(page);
        } while (!page.isEmpty());
        return chain;
    }

    private static JdbcStore open(String url) {
        return JdbcStore.open(TestStores.config(url, new SettableClock(StoreSamples.START)));
    }
}
