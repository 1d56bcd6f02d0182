package dev.agentpolicy.app.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.port.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file in which a node records heads (docs/reference/events.md, Recorded heads). */
class HeadFileTest {
    private static final long NEVER_COMPACTED = Long.MAX_VALUE / 4;

    @TempDir
    private Path folder;

    private final UserId user = StoreSamples.user();

    @Test
    void a_record_is_read_as_it_was_written() throws Exception {
        ChainHead head = head(user, 7);

        assertThat(HeadRecord.read(HeadRecord.line(head).strip())).isEqualTo(head);
        assertThat(HeadRecord.line(head)).matches("[0-9a-f-]{36} 7 [0-9a-f]{64} 20\\d\\d-.*Z [0-9a-f]{8}\n");
    }

    @Test
    void no_line_of_which_a_character_is_other_than_written_is_a_record() {
        String line = HeadRecord.line(head(user, 7)).strip();

        for (int i = 0; i < line.length(); i++) {
            char other = line.charAt(i) == '1' ? '2' : '1';
            assertThat(HeadRecord.read(line.substring(0, i) + other + line.substring(i + 1)))
                    .describedAs("character %s", i)
                    .isNull();
            assertThat(HeadRecord.read(line.substring(0, i))).isNull();
        }
    }

    @Test
    void a_last_record_that_is_torn_is_ignored_wherever_it_is_torn_and_written_over() throws Exception {
        String whole = HeadRecord.line(head(user, 1)) + HeadRecord.line(head(user, 2));
        String torn = HeadRecord.line(head(user, 3));
        for (int length = 0; length < torn.length() - 1; length++) {
            Path path = Files.writeString(folder.resolve("torn-" + length), whole + torn.substring(0, length));

            List<ChainHead> read = new ArrayList<>();
            assertThat(HeadFile.each(path, read::add)).isZero();
            assertThat(read).containsExactly(head(user, 1), head(user, 2));

            try (HeadFile file = open(path, NEVER_COMPACTED)) {
                file.append(List.of(head(user, 4)));
            }
            assertThat(Files.readString(path)).isEqualTo(whole + HeadRecord.line(head(user, 4)));
        }
    }

    @Test
    void a_damaged_record_in_the_middle_is_left_out_and_counted() throws Exception {
        Path path = folder.resolve("damaged");
        Files.writeString(
                path,
                HeadRecord.line(head(user, 1)) + "\0\0\0" + HeadRecord.line(head(user, 2))
                        + HeadRecord.line(head(user, 3)));

        List<ChainHead> read = new ArrayList<>();

        assertThat(HeadFile.each(path, read::add)).isOne();
        assertThat(read).containsExactly(head(user, 1), head(user, 3));
    }

    @Test
    void compacting_leaves_the_last_head_of_each_chain() throws Exception {
        compacts(1, Long.MAX_VALUE / 4);
    }

    @Test
    void compacting_by_buckets_leaves_the_last_head_of_each_chain() throws Exception {
        compacts(2, 4_096);
    }

    private void compacts(long seed, long bucketBytes) throws IOException {
        Random random = new Random(seed);
        List<UserId> users = Stream.generate(() -> new UserId(new UUID(random.nextLong(), random.nextLong())))
                .limit(50)
                .toList();
        Map<UserId, ChainHead> last = new HashMap<>();
        Path path = folder.resolve("compacted");
        try (HeadFile file = open(path, bucketBytes)) {
            for (int i = 0; i < 200; i++) {
                List<ChainHead> heads = users.stream()
                        .filter(any -> random.nextInt(4) == 0)
                        .map(it -> head(it, last.containsKey(it) ? last.get(it).seq() + 1 : 1))
                        .toList();
                heads.forEach(head -> last.put(head.userId(), head));
                file.append(heads);
            }
            file.compact();
            assertThat(Files.readAllLines(path)).hasSameSizeAs(last.keySet());
            file.append(List.of(head(user, 1)));
            file.force();
        }
        last.put(user, head(user, 1));

        List<ChainHead> read = new ArrayList<>();
        assertThat(HeadFile.each(path, read::add)).isZero();
        assertThat(read).containsExactlyInAnyOrderElementsOf(last.values());
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(path);
        }
    }

    @Test
    void a_file_grows_to_twice_what_it_needs_and_not_further() throws Exception {
        Path path = folder.resolve("growing");
        long longest = 0;
        try (HeadFile file = open(path, 10_000)) {
            for (long seq = 1; seq <= 2_000; seq++) {
                file.append(List.of(head(user, seq)));
                longest = Math.max(longest, Files.size(path));
                if (file.isToBeCompacted()) {
                    file.compact();
                }
            }
        }
        assertThat(longest).isLessThan(10_300);
        List<ChainHead> read = new ArrayList<>();
        HeadFile.each(path, read::add);
        assertThat(read).endsWith(head(user, 2_000));
    }

    @Test
    void only_its_owner_may_read_it_before_and_after_it_is_compacted() throws Exception {
        Path path = folder.resolve("private");
        try (HeadFile file = open(path, NEVER_COMPACTED)) {
            assertThat(mode(path)).isEqualTo("rw-------");
            file.append(LongStream.range(1, 10).mapToObj(seq -> head(user, seq)).toList());
            file.compact();
            assertThat(mode(path)).isEqualTo("rw-------");
        }
    }

    @Test
    void a_large_file_of_zeros_as_a_power_cut_leaves_it_is_no_record() throws Exception {
        Path path = folder.resolve("zeros");
        Files.writeString(path, HeadRecord.line(head(user, 1)));
        Files.write(path, new byte[10_000], StandardOpenOption.APPEND);

        try (HeadFile file = open(path, NEVER_COMPACTED)) {
            file.append(List.of(head(user, 2)));
        }

        assertThat(Files.readString(path)).isEqualTo(HeadRecord.line(head(user, 1)) + HeadRecord.line(head(user, 2)));
    }

    private static HeadFile open(Path path, long bucketBytes) throws IOException {
        return HeadFile.open(path, () -> {}, bucketBytes);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static ChainHead head(UserId user, long seq) {
        return new ChainHead(user, seq, String.format("%064x", seq * 31), StoreSamples.START.plusSeconds(seq));
    }
}
