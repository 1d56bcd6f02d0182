package dev.agentpolicy.domain.event.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.event.tlog.Tile.Slice;
import dev.agentpolicy.domain.event.tlog.Tile.TileWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tiles as C2SP tlog-tiles describes them, and a log that grows in them. */
class TileTest {

    @Test
    void paths_are_those_of_the_specification() {
        assertThat(new Slice(new Tile(0, 1_234_067), 256).path()).isEqualTo("tile/0/x001/x234/067");
        assertThat(new Slice(new Tile(1, 0), 1).path()).isEqualTo("tile/1/000.p/1");
        assertThat(new Slice(new Tile(Tile.ENTRIES, 273), 112).path()).isEqualTo("tile/entries/273.p/112");
        for (Slice slice : List.of(
                new Slice(new Tile(0, 1_234_067), 256),
                new Slice(new Tile(63, Long.MAX_VALUE), 255),
                new Slice(new Tile(Tile.ENTRIES, 999), 1))) {
            assertThat(Slice.read(slice.path().substring("tile/".length()))).isEqualTo(slice);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "0/",
                "/000",
                "00/000",
                "64/000",
                "-1/000",
                "+1/000",
                "0/0",
                "0/0000",
                "0/x000/000",
                "0/001/x234",
                "0/001/234",
                "0/x001/234/",
                "0/000.p/0",
                "0/000.p/256",
                "0/000.p/01",
                "0/000.p/",
                "0/000.p/1.p/1",
                "0/000.q/1",
                "entries",
                "Entries/000",
                "0/x1/000",
                "0/-01",
                "0.p/1/000",
                "0/x999/x999/x999/x999/x999/x999/x999/999"
            })
    void a_path_that_is_spelled_otherwise_is_none(String path) {
        assertThat(Slice.read(path)).isNull();
    }

    @Test
    void a_tree_has_the_tiles_that_the_specification_counts() {
        assertThat(isThere(0, 272, 256, 70_000)).isTrue();
        assertThat(isThere(0, 273, 112, 70_000)).isTrue();
        assertThat(isThere(0, 273, 113, 70_000)).isFalse();
        assertThat(isThere(1, 0, 256, 70_000)).isTrue();
        assertThat(isThere(1, 1, 17, 70_000)).isTrue();
        assertThat(isThere(1, 1, 18, 70_000)).isFalse();
        assertThat(isThere(2, 0, 1, 70_000)).isTrue();
        assertThat(isThere(2, 0, 2, 70_000)).isFalse();
        assertThat(isThere(3, 0, 1, 70_000)).isFalse();
        assertThat(isThere(63, 0, 1, Long.MAX_VALUE)).isFalse();
        assertThat(isThere(0, Long.MAX_VALUE, 1, Long.MAX_VALUE)).isFalse();
        assertThat(isThere(Tile.ENTRIES, 273, 112, 70_000)).isTrue();
    }

    private static boolean isThere(int level, long index, int width, long size) {
        return new Slice(new Tile(level, index), width).isWithin(size);
    }

    @Test
    void a_log_that_grows_in_any_steps_has_the_root_of_its_entries() {
        Random random = new Random(20261127);
        Map<Tile, byte[]> stored = new HashMap<>();
        List<byte[]> leaves = new ArrayList<>();
        long size = 0;
        while (size < 70_000) {
            TileWriter writer = new TileWriter(size, stored::get);
            int step = 1 + random.nextInt(random.nextBoolean() ? 5 : 2_000);
            for (int i = 0; i < step; i++) {
                byte[] entry = ("entry " + leaves.size()).getBytes(StandardCharsets.UTF_8);
                assertThat(writer.append(entry)).isEqualTo(leaves.size());
                leaves.add(LogTree.leafHash(entry));
            }
            byte[] root = writer.tree().root();
            stored.putAll(writer.grown());
            size = writer.size();

            assertThat(root)
                    .isEqualTo(root(leaves, 0, leaves.size()))
                    .isEqualTo(Tile.tree(size, stored::get).root());
        }
        assertProofs(stored, leaves, size, random);
        assertThat(Tile.entries(stored.get(new Tile(Tile.ENTRIES, 1))))
                .hasSize(256)
                .first()
                .isEqualTo("entry 256".getBytes(StandardCharsets.UTF_8));
    }

    /** Readers of smaller trees take the beginning of tiles that have grown. */
    private static void assertProofs(Map<Tile, byte[]> stored, List<byte[]> leaves, long size, Random random) {
        LogTree tree = Tile.tree(size, stored::get);
        for (int i = 0; i < 200; i++) {
            long smaller = 1 + random.nextInt((int) size);
            LogTree old = Tile.tree(smaller, stored::get);
            int index = random.nextInt((int) smaller);

            assertThat(LogTree.isIncluded(leaves.get(index), index, smaller, old.inclusion(index), old.root()))
                    .isTrue();
            assertThat(LogTree.isConsistent(smaller, old.root(), size, tree.root(), tree.consistency(smaller)))
                    .isTrue();
        }
    }

    @Test
    void an_entry_that_is_too_long_for_a_bundle_is_refused() {
        TileWriter writer = new TileWriter(0, tile -> new byte[0]);
        writer.append(new byte[65_535]);

        assertThat(Tile.entries(writer.grown().get(new Tile(Tile.ENTRIES, 0))))
                .singleElement()
                .isEqualTo(new byte[65_535]);
        assertThatThrownBy(() -> writer.append(new byte[65_536])).hasMessage("An entry has at most 65535 bytes.");
    }

    @Test
    void a_partial_tile_is_the_beginning_of_the_full_one() {
        TileWriter writer = new TileWriter(0, tile -> new byte[0]);
        Stream.of("a", "bb", "ccc")
                .map(it -> it.getBytes(StandardCharsets.UTF_8))
                .forEach(writer::append);
        byte[] bundle = writer.grown().get(new Tile(Tile.ENTRIES, 0));
        byte[] hashes = writer.grown().get(new Tile(0, 0));

        assertThat(new Slice(new Tile(Tile.ENTRIES, 0), 2).of(bundle)).containsExactly(0, 1, 97, 0, 2, 98, 98);
        assertThat(new Slice(new Tile(0, 0), 2).of(hashes)).hasSize(64).startsWith(LogTree.leafHash(new byte[] {'a'}));
    }

    private static byte[] root(List<byte[]> leaves, int from, int end) {
        if (end - from == 1) {
            return leaves.get(from);
        }
        int half = Integer.highestOneBit(end - from - 1);
        return LogTree.nodeHash(root(leaves, from, from + half), root(leaves, from + half, end));
    }

    @Test
    void bundles_and_tiles_of_others_are_read() {
        byte[] bundle = TesseraLog.bytes("tile/entries/000.p/15");
        byte[] hashes = TesseraLog.bytes("tile/0/000.p/15");
        TileWriter writer = new TileWriter(0, tile -> new byte[0]);
        Tile.entries(bundle).forEach(writer::append);

        assertThat(writer.grown())
                .containsEntry(new Tile(0, 0), hashes)
                .containsEntry(new Tile(Tile.ENTRIES, 0), bundle);
        assertThat(IntStream.range(1, 16)
                        .mapToObj(size -> Checkpoint.of(TesseraLog.ORIGIN, Tile.tree(size, it -> hashes))))
                .isEqualTo(
                        IntStream.range(1, 16).mapToObj(TesseraLog::checkpoint).toList());
    }
}
