package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.tlog.LogStatus.Stop;
import dev.agentpolicy.domain.event.tlog.NoteSignature;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.TileWriter;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.port.TransparencyLog;
import dev.agentpolicy.domain.port.TransparencyLog.Place;
import dev.agentpolicy.domain.port.TransparencyLog.State;
import dev.agentpolicy.domain.port.TransparencyLog.WaitingRow;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stored transparency log on both databases. */
class TransparencyLogTest {
    private static final String KEY = "k".repeat(43);
    private static final Map<CommittedHeadsTest.Kind, Kept> KEPT = new EnumMap<>(CommittedHeadsTest.Kind.class);

    /** A store whose chains grow, and its log. */
    private record Kept(String url, JdbcStore store, AmendIps amend, TransparencyLog log) {
        /** Appends rows to a chain, one for each version of its policy. */
        void grow(UserId user, int rows) {
            CompletableFuture.allOf(IntStream.range(0, rows)
                            .mapToObj(i -> amend.put(user, StoreSamples.ips("0.0" + (i % 8 + 1)))
                                    .toCompletableFuture())
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
        }

        ChainHead head(UserId user) {
            return store.eventLog().head(user);
        }

        byte[] tile(Tile tile) {
            return log.tile(tile).orElseThrow();
        }

        boolean append(State state, List<WaitingRow> rows) {
            TileWriter writer = new TileWriter(state.size(), this::tile);
            Map<WaitingRow, Long> places = new LinkedHashMap<>();
            rows.forEach(row -> places.put(row, writer.append(row.secret())));
            return log.append(state, places, writer);
        }

        List<Long> waiting(UserId user) {
            return log.waiting(10_000).stream()
                    .filter(row -> row.user().equals(user))
                    .map(WaitingRow::seq)
                    .toList();
        }
    }

    private static Kept open(CommittedHeadsTest.Kind kind) {
        String url =
                kind == CommittedHeadsTest.Kind.H2 ? "jdbc:h2:mem:" + UUID.randomUUID() : TestPostgres.freshDatabase();
        JdbcStore store = JdbcStore.open(TestStores.config(url, new SettableClock(StoreSamples.START)));
        TransparencyLog log = store.transparencyLog();
        assertThat(log.state()).isEmpty();
        State first = log.open("example.com/tlog", KEY);
        assertThat(first).isEqualTo(new State(1, "example.com/tlog", KEY, 0, 0, null, 0, Map.of(), null));
        AmendIps amend =
                new AmendIps(TestStores.accounts(store, new JdkSigner(), head -> {}), OwnerLimits.NONE, Runnable::run);
        return new Kept(url, store, amend, log);
    }

    /** Tests with a new log, which this node has, in which the chains of tests before have their entries. */
    private static void with(CommittedHeadsTest.Kind kind, BiConsumer<Kept, State> test) {
        Kept kept = KEPT.computeIfAbsent(kind, TransparencyLogTest::open);
        State before = kept.log.state().orElseThrow();
        kept.log.replace(before, "example.com/tlog-" + before.number(), KEY);
        kept.log.addForgotten();
        assertThat(kept.append(kept.log.takeOver(), kept.log.waiting(10_000))).isTrue();
        test.accept(kept, kept.log.state().orElseThrow());
    }

    @AfterAll
    static void close() {
        KEPT.values().forEach(kept -> kept.store.close());
        KEPT.clear();
    }

    @ParameterizedTest
    @EnumSource
    void a_log_is_opened_once_and_keeps_its_origin(CommittedHeadsTest.Kind kind) {
        with(kind, (kept, state) -> {
            assertThat(kept.log.open("other.example/tlog", "o".repeat(43))).isEqualTo(state);
            assertThat(kept.log.takeOver().fence()).isEqualTo(state.fence() + 1);
            assertThat(kept.log.takeOver().fence()).isEqualTo(state.fence() + 2);
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_row_that_waits_but_is_not_in_its_chain_is_left_out_once_and_waits_no_more(CommittedHeadsTest.Kind kind) {
        with(kind, (kept, state) -> {
            UserId user = StoreSamples.user();
            kept.grow(user, 1);
            UserId missing = StoreSamples.user();
            kept.log.add(List.of(kept.head(user), new ChainHead(missing, 600, "0".repeat(64), StoreSamples.START)));

            List<WaitingRow> rows = kept.log.waiting(10);

            assertThat(rows)
                    .singleElement()
                    .satisfies(row -> assertThat(row.user()).isEqualTo(user));
            assertThat(kept.append(state, rows)).isTrue();
            assertThat(TestStores.number(kept.url, "SELECT count(*) FROM tlog_row WHERE entry_index IS NULL"))
                    .isZero();
            assertThat(kept.log.covering(missing, 1)).isEmpty();
            assertThat(TestStores.number(kept.url, "SELECT count(*) FROM tlog_row WHERE entry_index < 0"))
                    .describedAs("the row, and those at multiples of 256 before it")
                    .isEqualTo(3);
            kept.log.add(List.of(new ChainHead(missing, 600, "0".repeat(64), StoreSamples.START)));
            assertThat(TestStores.number(kept.url, "SELECT count(*) FROM tlog_row WHERE entry_index IS NULL"))
                    .isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void rows_wait_once_are_appended_once_and_are_found_by_those_before_them(CommittedHeadsTest.Kind kind) {
        with(kind, (kept, state) -> {
            UserId user = StoreSamples.user();
            kept.grow(user, 3);
            kept.log.add(List.of(kept.head(user)));
            kept.log.add(List.of(kept.head(user)));

            List<WaitingRow> rows = kept.log.waiting(10);
            assertThat(rows).singleElement().satisfies(row -> {
                assertThat(row.seq()).isEqualTo(3);
                assertThat(row.hash()).isEqualTo(kept.head(user).hash());
                assertThat(row.secret())
                        .hasSize(32)
                        .isEqualTo(kept.log.secret(user).orElseThrow());
            });
            assertThat(kept.log.covering(user, 1)).isEmpty();
            assertThat(kept.append(state, rows)).isTrue();

            assertThat(kept.log.waiting(10)).isEmpty();
            kept.log.add(List.of(kept.head(user)));
            assertThat(kept.log.waiting(10)).describedAs("a row that is logged").isEmpty();
            assertThat(kept.log.addForgotten()).isZero();
            assertThat(kept.log.covering(user, 1)).contains(new Place(3, state.size()));
            assertThat(kept.log.covering(user, 4)).isEmpty();
            assertThat(kept.log.covering(StoreSamples.user(), 1)).isEmpty();
            State now = kept.log.state().orElseThrow();
            assertThat(now.size()).isEqualTo(state.size() + 1);
            assertThat(kept.append(state, rows))
                    .describedAs("with the size of before")
                    .isFalse();
            kept.log.takeOver();
            assertThat(kept.append(now, rows))
                    .describedAs("after another node took over")
                    .isFalse();
            assertThat(Tile.entries(kept.tile(new Tile(Tile.ENTRIES, 0)))).hasSize((int) state.size() + 1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void every_256th_row_of_a_chain_gets_its_entry_and_forgotten_chains_are_found(CommittedHeadsTest.Kind kind) {
        with(kind, (kept, state) -> {
            UserId user = StoreSamples.user();
            UserId other = StoreSamples.user();
            kept.grow(user, 258);
            kept.grow(other, 1);

            assertThat(kept.log.addForgotten()).isEqualTo(2);
            assertThat(kept.waiting(other)).containsExactly(1L);
            assertThat(kept.waiting(user)).containsExactlyInAnyOrder(258L, 256L);
            kept.append(state, kept.log.waiting(10_000));

            kept.grow(user, 1);
            assertThat(kept.log.addForgotten()).isOne();
            assertThat(kept.waiting(user)).containsExactly(259L);
            assertThat(kept.log.covering(user, 1).orElseThrow().seq()).isEqualTo(256);
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_checkpoint_is_published_by_the_node_that_has_the_log_and_never_a_smaller_one(CommittedHeadsTest.Kind kind) {
        with(kind, (kept, state) -> {
            UserId user = StoreSamples.user();
            kept.grow(user, 1);
            kept.log.add(List.of(kept.head(user)));
            SignedNote note = new SignedNote("text\n", List.of(new NoteSignature("a", "AAAAAAA=")));
            Map<String, Instant> uncosigned =
                    Map.of("a+1+b", StoreSamples.START, "c+2+d", StoreSamples.START.plusSeconds(1));
            Stop stop = new Stop("it went back", StoreSamples.START);

            long size = state.size() + 1;
            assertThat(kept.log.publish(state, size, note, uncosigned))
                    .describedAs("more than there is")
                    .isFalse();
            kept.append(state, kept.log.waiting(10));
            assertThat(kept.log.publish(state, size, note, uncosigned)).isTrue();
            assertThat(kept.log.publish(state, size - 1, note, uncosigned)).isFalse();
            State now = kept.log.state().orElseThrow();
            assertThat(now.checkpoint()).isEqualTo(note);
            assertThat(now.published()).isEqualTo(size);
            assertThat(now.uncosigned()).isEqualTo(uncosigned);
            kept.log.takeOver();
            assertThat(kept.log.publish(now, size, note, uncosigned)).isFalse();
            State mine = kept.log.takeOver();
            kept.log.stop(mine, stop);
            assertThat(kept.log.publish(mine, size, note, uncosigned)).isFalse();
            assertThat(kept.log.state().orElseThrow().stopped()).isEqualTo(stop);
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_log_that_takes_the_place_of_another_begins_empty_and_has_every_chain_again(CommittedHeadsTest.Kind kind) {
        with(kind, (kept, state) -> {
            UserId user = StoreSamples.user();
            kept.grow(user, 1);
            kept.log.add(List.of(kept.head(user)));
            kept.append(state, kept.log.waiting(10));

            assertThat(kept.log.replace(state, "example.com/new", "n".repeat(43)))
                    .isTrue();
            assertThat(kept.log.replace(state, "example.com/other", "m".repeat(43)))
                    .isFalse();

            State second = kept.log.takeOver();
            assertThat(second.origin()).isEqualTo("example.com/new");
            assertThat(second.size()).isZero();
            assertThat(kept.log.tile(new Tile(0, 0))).isEmpty();
            assertThat(kept.log.covering(user, 1)).isEmpty();
            assertThat(kept.append(state, List.of())).isFalse();
            assertThat(kept.log.addForgotten()).isPositive();
            List<WaitingRow> rows = kept.log.waiting(10_000);
            assertThat(kept.append(second, rows)).isTrue();
            assertThat(kept.log.covering(user, 1))
                    .contains(new Place(
                            1, rows.stream().map(WaitingRow::user).toList().indexOf(user)));
        });
    }

    @ParameterizedTest
    @EnumSource
    void the_secret_of_a_removed_account_is_gone_with_its_places(CommittedHeadsTest.Kind kind) {
        with(kind, (kept, state) -> {
            UserId user = StoreSamples.user();
            kept.grow(user, 1);
            kept.log.add(List.of(kept.head(user)));
            kept.append(state, kept.log.waiting(10));

            kept.store.accountRemoval().remove(user);

            assertThat(kept.log.secret(user)).isEmpty();
            assertThat(kept.log.covering(user, 1)).isEmpty();
        });
    }
}
