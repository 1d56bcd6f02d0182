package dev.agentpolicy.app.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.Slice;
import dev.agentpolicy.domain.event.tlog.Tile.TileWriter;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Go's own packages sumdb/note and sumdb/tlog read our log, where they are installed. */
class GoReadsTheLogTest {
    private static final Path PACKAGES = Path.of("/usr/share/gocode");
    private static final int SIZE = 1_000;
    private static final TestKey KEY = TestKey.of("0a".repeat(32));
    private static final VerifierKey LOG = VerifierKey.of("policy.example/tlog", VerifierKey.ED25519, KEY.x());

    @TempDir
    private Path folder;

    @Test
    void go_opens_the_checkpoint_and_checks_every_record_and_the_consistency_of_the_tiles() throws Exception {
        assumeTrue(
                Files.isDirectory(PACKAGES.resolve("src/golang.org/x/mod/sumdb/tlog")),
                "Go and its package sumdb are not installed (Debian: golang-go, golang-golang-x-mod-dev).");
        write();

        Process go = go();
        String said = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(go.waitFor()).as(said).isZero();
        assertThat(said).isEqualTo("policy.example/tlog: 1000 records\n");
        Path bundle = folder.resolve("tile/entries/001");
        byte[] bytes = Files.readAllBytes(bundle);
        bytes[10] ^= 1;
        Files.write(bundle, bytes);
        assertThat(go().waitFor()).isOne();
    }

    private Process go() throws IOException {
        ProcessBuilder go = new ProcessBuilder(
                "go", "run", Path.of("src/test/go/readlog.go").toString(), LOG.text(), folder.toString());
        go.environment()
                .putAll(Map.of(
                        "GO111MODULE",
                        "off",
                        "GOPATH",
                        PACKAGES.toString(),
                        "CGO_ENABLED",
                        "0",
                        "GOCACHE",
                        folder.resolve("cache").toString()));
        return go.redirectErrorStream(true).start();
    }

    private void write() throws IOException {
        TileWriter log = new TileWriter(0, tile -> new byte[0]);
        for (int i = 0; i < SIZE; i++) {
            log.append(ChainLeaf.of(Sha256.of("secret"), i, Sha256.hex("" + i)).entry());
        }
        Checkpoint checkpoint = Checkpoint.of(
                LOG.name(),
                Tile.tree(SIZE, tile -> Objects.requireNonNull(log.grown().get(tile))));
        SignedNote note =
                new SignedNote(checkpoint.text(), List.of(LOG.sign(checkpoint.text(), Instant.EPOCH, KEY::sign)));
        Files.writeString(folder.resolve("checkpoint"), note.note());
        for (Map.Entry<Tile, byte[]> tile : log.grown().entrySet()) {
            long within =
                    Math.max(0, SIZE >> Tile.HEIGHT * Math.max(0, tile.getKey().level()));
            int width = (int) Math.min(Tile.WIDTH, within - tile.getKey().index() * Tile.WIDTH);
            Path file = folder.resolve(new Slice(tile.getKey(), width).path());
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.write(file, tile.getValue());
        }
    }
}
