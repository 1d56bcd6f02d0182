package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that was restored from a backup taken before the last 100 events (docs/verify.md, Anchors). */
class RestoredBackupTest {
    @TempDir
    private Path folder;

    private String url;

    @ParameterizedTest
    @EnumSource
    void the_node_refuses_and_whoever_kept_a_head_finds_out(Database database) throws Exception {
        url = database.fresh(folder);
        Path anchors = folder.resolve("anchors");
        Path state = folder.resolve("state");
        String key;
        try (ServiceNode node = node(Map.of())) {
            key = DemoUser.of(node.running().users(), node.running().useCases(), Instant.now())
                    .live()
                    .reveal();
            await(anchors, 1);
        }
        Runnable backup = database.backUp(folder, url);
        try (ServiceNode node = node(Map.of())) {
            UserId user =
                    node.running().users().byEmail(DemoUser.EMAIL).orElseThrow().id();
            for (int i = 0; i < 100; i++) {
                node.running()
                        .useCases()
                        .amendIps()
                        .put(user, StoreSamples.ips("0.0" + (i % 8 + 1)))
                        .toCompletableFuture()
                        .join();
            }
            assertThat(verify(node, key, state)).startsWith("ok ");
        }
        anchored(anchors);
        backup.run();

        String last = String.valueOf(count(anchors));
        assertThatExceptionOfType(CannotStart.class)
                .isThrownBy(() -> node(Map.of()))
                .withMessageStartingWith("The database is behind anchor " + last + " of ")
                .withMessageContaining("1 chain lacks 1")
                .withMessageEndingWith("start once with POLICY_ANCHOR_OVERRIDE=" + last + ".");
        assertThatExceptionOfType(CannotStart.class)
                .describedAs("another anchor than the last")
                .isThrownBy(() -> node(Map.of("POLICY_ANCHOR_OVERRIDE", "1")));
        try (ServiceNode node = node(Map.of("POLICY_ANCHOR_OVERRIDE", last))) {
            assertThat(verify(node, key, state)).startsWith("broken at seq 3: The head is behind the rows.");
            await(anchors, Long.parseLong(last) + 1);
        }
        node(Map.of()).close();
    }

    @Test
    void an_anchor_that_was_tampered_with_is_refused() throws Exception {
        url = Database.H2.fresh(folder);
        Path anchors = folder.resolve("anchors");
        try (ServiceNode node = node(Map.of())) {
            DemoUser.of(node.running().users(), node.running().useCases(), Instant.now());
            await(anchors, 1);
        }
        anchored(anchors);
        Path leaves = anchors.resolve(String.format("%010d.leaves", count(anchors)));
        Files.writeString(leaves, Files.readString(leaves).replaceFirst("\"seq\":\\d+", "\"seq\":1"));

        assertThatExceptionOfType(CannotStart.class)
                .isThrownBy(() -> node(Map.of()))
                .withMessageContaining("is damaged, or is not of this database");
    }

    /** A node that starts, writes an anchor and stops. */
    private void anchored(Path anchors) throws Exception {
        long before = count(anchors);
        ServiceNode node = node(Map.of());
        try {
            await(anchors, before + 1);
        } finally {
            node.close();
        }
    }

    private ServiceNode node(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("POLICY_ANCHOR_DIR", folder.resolve("anchors").toString());
        return ServiceNode.start(folder, url, settings);
    }

    private static String verify(ServiceNode node, String key, Path state) {
        CommandLineRun run = new CommandLineRun(Map.of("KEY", key));
        run.main("verify", "--url", node.running().address(), "--api-key-env", "KEY", "--save", state.toString());
        return run.out() + run.err();
    }

    private static void await(Path anchors, long notes) throws Exception {
        for (int i = 0; i < 200 && count(anchors) < notes; i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(count(anchors)).isGreaterThanOrEqualTo(notes);
    }

    private static long count(Path anchors) throws IOException {
        if (!Files.exists(anchors)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(anchors)) {
            return files.filter(file -> file.toString().matches(".*\\d{10}\\.note"))
                    .count();
        }
    }
}
