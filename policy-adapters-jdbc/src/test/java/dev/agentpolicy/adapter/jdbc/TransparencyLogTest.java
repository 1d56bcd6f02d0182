package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
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
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stored transparency log on both databases. */
class TransparencyLogTest {
    @TempDir
    private Path folder;

    /** A store whose chains grow, and its log. */
    private record Kept(JdbcStore store, AmendIps amend, TransparencyLog log) {
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

    private void with(CommittedHeadsTest.Kind kind, Consumer<Kept> test) {
        String url = kind == CommittedHeadsTest.Kind.H2 ? TestStores.h2(folder) : TestPostgres.freshDatabase();
        try (JdbcStore store = JdbcStore.open(TestStores.config(url, new SettableClock(StoreSamples.START)))) {
            AmendIps amend = new AmendIps(TestStores.accounts(store, new JdkSigner(), head -> {}), OwnerLimits.NONE);
            test.accept(new Kept(store, amend, store.transparencyLog()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_log_is_opened_once_and_keeps_its_origin(CommittedHeadsTest.Kind kind) {
        with(kind, kept -> {
            assertThat(kept.log.state()).isEmpty();
            State first = kept.log.open("example.com/tlog", "k".repeat(43));

            assertThat(first).isEqualTo(new State(1, "example.com/tlog", "k".repeat(43), 0, 0, null, 0, null));
            assertThat(kept.log.open("other.example/tlog", "o".repeat(43))).isEqualTo(first);
            assertThat(kept.log.takeOver().fence()).isEqualTo(1);
            assertThat(kept.log.takeOver().fence()).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @EnumSource
    void rows_wait_once_are_appended_once_and_are_found_by_those_before_them(CommittedHeadsTest.Kind kind) {
        with(kind, kept -> {
            kept.log.open("example.com/tlog", "k".repeat(43));
            State state = kept.log.takeOver();
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
            assertThat(kept.log.covering(user, 1)).contains(new Place(3, 0));
            assertThat(kept.log.covering(user, 4)).isEmpty();
            assertThat(kept.log.covering(StoreSamples.user(), 1)).isEmpty();
            State now = kept.log.state().orElseThrow();
            assertThat(now.size()).isEqualTo(1);
            assertThat(kept.append(state, rows))
                    .describedAs("with the size of before")
                    .isFalse();
            kept.log.takeOver();
            assertThat(kept.append(now, rows))
                    .describedAs("after another node took over")
                    .isFalse();
            assertThat(Tile.entries(kept.tile(new Tile(Tile.ENTRIES, 0)))).hasSize(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void every_256th_row_of_a_chain_gets_its_entry_and_forgotten_chains_are_found(CommittedHeadsTest.Kind kind) {
        with(kind, kept -> {
            kept.log.open("example.com/tlog", "k".repeat(43));
            UserId user = StoreSamples.user();
            UserId other = StoreSamples.user();
            kept.grow(user, 700);
            kept.grow(other, 1);

            assertThat(kept.log.addForgotten()).isEqualTo(2);
            assertThat(kept.waiting(other)).containsExactly(1L);
            assertThat(kept.waiting(user)).containsExactlyInAnyOrder(700L, 512L, 256L);
            kept.append(kept.log.takeOver(), kept.log.waiting(10_000));

            kept.grow(user, 100);
            assertThat(kept.log.addForgotten()).isOne();
            assertThat(kept.waiting(user)).containsExactlyInAnyOrder(800L, 768L);
            assertThat(kept.log.covering(user, 257).orElseThrow().seq()).isEqualTo(512);
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_checkpoint_is_published_by_the_node_that_has_the_log_and_never_a_smaller_one(CommittedHeadsTest.Kind kind) {
        with(kind, kept -> {
            kept.log.open("example.com/tlog", "k".repeat(43));
            State state = kept.log.takeOver();
            UserId user = StoreSamples.user();
            kept.grow(user, 1);
            kept.log.add(List.of(kept.head(user)));
            SignedNote note = new SignedNote("text\n", List.of(new NoteSignature("a", "AAAAAAA=")));

            assertThat(kept.log.publish(state, 1, note))
                    .describedAs("more than there is")
                    .isFalse();
            kept.append(state, kept.log.waiting(10));
            assertThat(kept.log.publish(state, 1, note)).isTrue();
            assertThat(kept.log.publish(state, 0, note)).isFalse();
            State now = kept.log.state().orElseThrow();
            assertThat(now.checkpoint()).isEqualTo(note);
            assertThat(now.published()).isEqualTo(1);
            kept.log.takeOver();
            assertThat(kept.log.publish(now, 1, note)).isFalse();
            State mine = kept.log.takeOver();
            kept.log.stop(mine, "it went back");
            assertThat(kept.log.publish(mine, 1, note)).isFalse();
            assertThat(kept.log.state().orElseThrow().stopped()).isEqualTo("it went back");
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_log_that_takes_the_place_of_another_begins_empty_and_has_every_chain_again(CommittedHeadsTest.Kind kind) {
        with(kind, kept -> {
            kept.log.open("example.com/tlog", "k".repeat(43));
            State first = kept.log.takeOver();
            UserId user = StoreSamples.user();
            kept.grow(user, 1);
            kept.log.add(List.of(kept.head(user)));
            kept.append(first, kept.log.waiting(10));

            assertThat(kept.log.replace(first, "example.com/tlog-2", "n".repeat(43)))
                    .isTrue();
            assertThat(kept.log.replace(first, "example.com/tlog-3", "m".repeat(43)))
                    .isFalse();

            State second = kept.log.takeOver();
            assertThat(second.origin()).isEqualTo("example.com/tlog-2");
            assertThat(second.size()).isZero();
            assertThat(kept.log.tile(new Tile(0, 0))).isEmpty();
            assertThat(kept.log.covering(user, 1)).isEmpty();
            assertThat(kept.append(first, List.of())).isFalse();
            assertThat(kept.log.addForgotten()).isOne();
            assertThat(kept.append(second, kept.log.waiting(10))).isTrue();
            assertThat(kept.log.covering(user, 1)).contains(new Place(1, 0));
        });
    }

    @ParameterizedTest
    @EnumSource
    void the_secret_of_a_removed_account_is_gone_with_its_places(CommittedHeadsTest.Kind kind) {
        with(kind, kept -> {
            kept.log.open("example.com/tlog", "k".repeat(43));
            UserId user = StoreSamples.user();
            kept.grow(user, 1);
            kept.log.add(List.of(kept.head(user)));
            kept.append(kept.log.takeOver(), kept.log.waiting(10));

            kept.store.accountRemoval().remove(user);

            assertThat(kept.log.secret(user)).isEmpty();
            assertThat(kept.log.covering(user, 1)).isEmpty();
        });
    }
}
