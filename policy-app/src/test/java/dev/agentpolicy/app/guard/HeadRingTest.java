package dev.agentpolicy.app.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.agent.ReadEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file in which a node records heads (docs/reference/events.md, Recorded heads). */
class HeadRingTest {
    private final UUID installation = UUID.randomUUID();

    @TempDir
    private Path folder;

    private final UserId user = StoreSamples.user();

    @Test
    void a_record_is_read_as_it_was_written() {
        ChainHead head = head(user, 7);

        assertThat(HeadFiles.head(HeadFiles.line(head).strip())).isEqualTo(head);
        assertThat(HeadFiles.line(head)).matches("[0-9a-f-]{36} 7 [0-9a-f]{64} 20\\d\\d-.*Z [0-9a-f]{8}\n");
    }

    @Test
    void no_line_of_which_a_character_is_other_than_written_is_a_record() {
        String line = HeadFiles.line(head(user, 7)).strip();

        for (int i = 0; i < line.length(); i++) {
            char other = line.charAt(i) == '1' ? '2' : '1';
            assertThat(HeadFiles.head(line.substring(0, i) + other + line.substring(i + 1)))
                    .describedAs("character %s", i)
                    .isNull();
            assertThat(HeadFiles.head(line.substring(0, i))).isNull();
        }
    }

    @Test
    void a_last_record_that_is_torn_is_ignored_wherever_it_is_torn() throws Exception {
        String whole = HeadFiles.line(head(user, 1)) + HeadFiles.line(head(user, 2));
        String torn = HeadFiles.line(head(user, 3));
        for (int length = 0; length < torn.length() - 1; length++) {
            Files.writeString(file(), whole + torn.substring(0, length));

            assertThat(read(0)).containsExactly(head(user, 1), head(user, 2));
        }
    }

    @Test
    void a_damaged_record_in_the_middle_is_left_out_and_counted() throws Exception {
        Files.writeString(
                file(),
                HeadFiles.line(head(user, 1)) + "\0\0\0" + HeadFiles.line(head(user, 2))
                        + HeadFiles.line(head(user, 3)));

        assertThat(read(1)).containsExactly(head(user, 1), head(user, 3));
    }

    @Test
    void the_file_has_the_last_head_of_each_chain_in_the_order_in_which_they_came() throws Exception {
        UserId other = StoreSamples.user();
        record(head(user, 1), head(other, 1));
        record(head(user, 2));

        assertThat(read(0)).containsExactly(head(other, 1), head(user, 2));
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(file(), folder.resolve(file().getFileName() + ".lock"));
        }
    }

    @Test
    void the_oldest_heads_make_room_for_new_ones() throws Exception {
        List<ChainHead> heads = LongStream.range(0, HeadRing.MAX_HEADS)
                .mapToObj(i -> head(new UserId(new UUID(0, i)), 1))
                .toList();
        record(heads.toArray(ChainHead[]::new));
        record(head(user, 1));

        assertThat(read(0)).hasSize(HeadRing.MAX_HEADS).endsWith(head(user, 1));
        assertThat(Files.size(file())).isLessThan(1_600_000);
    }

    /** Earlier versions appended each head, and kept the last one of every chain. */
    @Test
    void a_file_of_an_earlier_version_is_read_and_replaced() throws Exception {
        UserId other = StoreSamples.user();
        Files.writeString(
                file(),
                HeadFiles.line(head(user, 1))
                        + HeadFiles.line(head(other, 5))
                        + HeadFiles.line(head(user, 2))
                        + HeadFiles.line(head(user, 3)).substring(0, 20));

        record(head(other, 6));

        assertThat(read(0)).containsExactly(head(user, 2), head(other, 6));
    }

    @Test
    void only_its_owner_may_read_it_however_often_it_is_replaced() throws Exception {
        for (long seq = 1; seq < 4; seq++) {
            record(head(user, seq));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void a_large_file_of_zeros_as_a_power_cut_leaves_it_is_no_record() throws Exception {
        Files.writeString(file(), HeadFiles.line(head(user, 1)));
        Files.write(file(), new byte[10_000], StandardOpenOption.APPEND);

        record(head(user, 2));

        assertThat(Files.readString(file())).isEqualTo(HeadFiles.line(head(user, 2)));
    }

    @Test
    void a_chain_that_ends_before_a_recorded_row_is_given_no_signed_head() throws Exception {
        JdkSigner signer = new JdkSigner();
        InstantSource clock = InstantSource.fixed(StoreSamples.START);
        InMemoryStore store = new InMemoryStore(clock, signer);
        try (HeadRing ring = new HeadRing()) {
            ring.begin(new HeadFiles(folder), installation);
            ReadEvents events = new ReadEvents(store.eventLog(), signer, clock, ring::recorded);

            assertThat(events.read(user, EventQuery.all()).head().seq()).isZero();
            ring.accept(head(user, 7));
            assertThatExceptionOfType(Unavailable.class)
                    .isThrownBy(() -> events.read(user, EventQuery.all()))
                    .withMessageContaining("0 rows of a chain of which this node recorded 7");
        }
        try (HeadRing restarted = new HeadRing()) {
            restarted.begin(new HeadFiles(folder), installation);
            assertThat(restarted.recorded(user)).isEqualTo(7);
            assertThat(restarted.recorded(StoreSamples.user())).isZero();
        }
    }

    private void record(ChainHead... heads) throws IOException {
        try (HeadRing ring = new HeadRing()) {
            ring.begin(new HeadFiles(folder), installation);
            List.of(heads).forEach(ring);
        }
    }

    private Path file() {
        return folder.resolve("heads-" + installation + "-1.log");
    }

    private List<ChainHead> read(int damaged) throws IOException {
        List<ChainHead> read = new ArrayList<>();
        assertThat(HeadFiles.each(file(), read::add)).isEqualTo(damaged);
        return read;
    }

    private static ChainHead head(UserId user, long seq) {
        return new ChainHead(user, seq, String.format("%064x", seq * 31), StoreSamples.START.plusSeconds(seq));
    }
}
