package dev.agentpolicy.app.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogPolicy;
import dev.agentpolicy.domain.event.tlog.LogTree;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.TileWriter;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Witnesses written from the specification, as the sequencer asks them. */
class WitnessesTest {
    private static final TestKey KEY = TestKey.of("0a".repeat(32));
    private static final VerifierKey LOG = VerifierKey.of("policy.example/tlog", VerifierKey.ED25519, KEY.x());
    private static final Instant NOW = Instant.parse("2026-11-28T08:00:00Z");

    private final SettableClock clock = new SettableClock(NOW);

    /** A log in memory. */
    private static final class MemoryLog {
        private final TileWriter tiles = new TileWriter(0, tile -> new byte[0]);
        private final String history;

        MemoryLog(String history) {
            this.history = history;
        }

        SignedNote grow(int entries) {
            for (int i = 0; i < entries; i++) {
                tiles.append(Sha256.of(history + tiles.size()));
            }
            String text = Checkpoint.of(LOG.name(), tree(tiles.size())).text();
            return new SignedNote(text, List.of(LOG.sign(text, NOW, KEY::sign)));
        }

        private LogTree tree(long size) {
            return Tile.tree(size, tile -> Objects.requireNonNull(tiles.grown().get(tile)));
        }

        Witnesses.Own own() {
            return new Witnesses.Own(LOG, tiles.size(), this::tree);
        }
    }

    private Witnesses asking(WitnessStandIn... standIns) throws Exception {
        StringBuilder policy = new StringBuilder();
        for (int i = 0; i < standIns.length; i++) {
            policy.append(standIns[i].policyLine("w" + i));
        }
        byte[] file = policy.append("quorum w0\n").toString().getBytes(StandardCharsets.UTF_8);
        return new Witnesses(LogPolicy.read(file).orElseThrow(), clock);
    }

    @Test
    void a_witness_written_from_the_specification_accepts_every_one_of_1000_submissions() throws Exception {
        Random random = new Random(ExperimentSettings.seed(WitnessesTest.class));
        MemoryLog log = new MemoryLog("one");
        try (WitnessStandIn standIn = new WitnessStandIn(LOG.text());
                Witnesses witnesses = asking(standIn)) {
            for (int i = 0; i < 1_000; i++) {
                SignedNote note = log.grow(1 + random.nextInt(10));

                Witnesses.Outcome outcome = witnesses.ask(note, log.own());

                assertThat(outcome.note().signatures()).hasSize(2);
                assertThat(witnesses.isOpen(outcome.note())).isFalse();
            }
            assertThat(standIn.statuses).hasSize(1_000).containsOnly(200);
            assertThat(standIn.size()).isEqualTo(log.tiles.size());
            assertThat(witnesses.errors()).isZero();
        }
    }

    @Test
    void a_node_that_takes_over_learns_from_the_witness_where_it_stands_and_sends_the_right_proof() throws Exception {
        MemoryLog log = new MemoryLog("one");
        try (WitnessStandIn standIn = new WitnessStandIn(LOG.text())) {
            try (Witnesses first = asking(standIn)) {
                first.ask(log.grow(5), log.own());
            }
            try (Witnesses second = asking(standIn)) {
                assertThat(second.ask(log.grow(4), log.own()).note().signatures())
                        .hasSize(2);
                assertThat(standIn.statuses).containsExactly(200, 409, 200);
                assertThat(second.errors()).isZero();
            }
        }
    }

    @Test
    void a_witness_that_lies_about_its_size_is_left_out_and_the_others_cosign() throws Exception {
        MemoryLog log = new MemoryLog("one");
        try (WitnessStandIn liar = new WitnessStandIn(LOG.text());
                WitnessStandIn honest = new WitnessStandIn(LOG.text());
                Witnesses witnesses = asking(liar, honest)) {
            liar.claim(1_000);
            SignedNote note = log.grow(5);

            Witnesses.Outcome outcome = witnesses.ask(note, log.own());

            assertThat(outcome.contradiction()).isEmpty();
            assertThat(outcome.note().signatures()).hasSize(2);
            assertThat(witnesses.errors()).isOne();
            clock.set(NOW.plus(Duration.ofMinutes(9)));
            assertThat(witnesses.isOpen(outcome.note())).isFalse();
            clock.set(NOW.plus(Duration.ofMinutes(10)));
            assertThat(witnesses.isOpen(outcome.note())).isTrue();
        }
    }

    @Test
    void a_log_that_was_rolled_back_is_found_by_what_the_witness_shows() throws Exception {
        MemoryLog log = new MemoryLog("one");
        MemoryLog older = new MemoryLog("one");
        try (WitnessStandIn standIn = new WitnessStandIn(LOG.text());
                Witnesses before = asking(standIn);
                Witnesses after = asking(standIn)) {
            before.ask(log.grow(9), log.own());

            assertThat(after.ask(older.grow(6), older.own()).contradiction())
                    .hasValueSatisfying(
                            it -> assertThat(it).contains("9 entries").contains("with its 6 entries"));
        }
    }

    @Test
    void a_log_that_was_forked_is_found_by_what_the_witness_shows() throws Exception {
        MemoryLog log = new MemoryLog("one");
        MemoryLog other = new MemoryLog("two");
        try (WitnessStandIn standIn = new WitnessStandIn(LOG.text());
                Witnesses before = asking(standIn);
                Witnesses after = asking(standIn)) {
            before.ask(log.grow(9), log.own());

            Witnesses.Outcome outcome = after.ask(other.grow(12), other.own());

            assertThat(standIn.statuses).containsExactly(200, 409, 422);
            assertThat(outcome.contradiction()).isPresent();
            assertThat(standIn.size()).isEqualTo(9);
        }
    }

    @Test
    void a_witness_that_never_answers_is_waited_for_three_seconds_and_asked_again_after_ten() throws Exception {
        MemoryLog log = new MemoryLog("one");
        try (WitnessStandIn silent = new WitnessStandIn(LOG.text());
                WitnessStandIn honest = new WitnessStandIn(LOG.text());
                Witnesses witnesses = asking(silent, honest)) {
            silent.fallSilent();
            long start = System.nanoTime();

            Witnesses.Outcome outcome = witnesses.ask(log.grow(3), log.own());

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
            assertThat(outcome.note().signatures()).hasSize(2);
            assertThat(witnesses.isOpen(outcome.note())).isFalse();
            clock.set(NOW.plusSeconds(10));
            assertThat(witnesses.isOpen(outcome.note())).isTrue();
        }
    }

    @Test
    void a_witness_with_an_address_that_is_none_is_refused() throws Exception {
        try (WitnessStandIn standIn = new WitnessStandIn(LOG.text())) {
            String line = standIn.policyLine("w0").replace("http://", "gopher://");
            LogPolicy policy = LogPolicy.read((line + "quorum w0\n").getBytes(StandardCharsets.UTF_8))
                    .orElseThrow();

            assertThatExceptionOfType(CannotStart.class)
                    .isThrownBy(() -> new Witnesses(policy, clock).close())
                    .withMessageContaining("witness.example");
        }
    }
}
