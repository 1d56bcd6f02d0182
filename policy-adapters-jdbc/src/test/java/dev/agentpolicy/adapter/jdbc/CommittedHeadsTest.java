package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store tells of the ends of its chains, to whoever keeps them elsewhere. */
class CommittedHeadsTest {
    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock(StoreSamples.START);

    /** A kind of database. */
    enum Kind {
        H2,
        POSTGRES
    }

    private String url(Kind kind) {
        return kind == Kind.H2 ? TestStores.h2(folder) : TestPostgres.freshDatabase();
    }

    @ParameterizedTest
    @EnumSource
    void the_observer_gets_the_head_before_any_caller_is_answered(Kind kind) {
        List<ChainHead> heads = new CopyOnWriteArrayList<>();
        UserId user = StoreSamples.user();
        try (JdbcStore store = JdbcStore.open(TestStores.config(url(kind), clock))) {
            AmendIps amend = new AmendIps(
                    TestStores.accounts(store, new JdkSigner(), heads::add), OwnerLimits.NONE, Runnable::run);
            for (int i = 1; i <= 5; i++) {
                put(amend, user, i);
                assertThat(heads).last().isEqualTo(store.eventLog().head(user));
                assertThat(heads).last().extracting(ChainHead::seq).isEqualTo((long) i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_observer_that_fails_does_not_undo_a_commit(Kind kind) {
        UserId user = StoreSamples.user();
        try (JdbcStore store = JdbcStore.open(TestStores.config(url(kind), clock))) {
            AmendIps amend = new AmendIps(
                    TestStores.accounts(store, new JdkSigner(), head -> {
                        throw new IllegalStateException("It fails.");
                    }),
                    OwnerLimits.NONE,
                    Runnable::run);
            put(amend, user, 1);
            assertThat(store.eventLog().head(user).seq()).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void rows_that_are_not_there_or_have_another_hash_are_missing_and_no_others(Kind kind) {
        try (JdbcStore store = JdbcStore.open(TestStores.config(url(kind), clock))) {
            Accounts accounts = TestStores.accounts(store, new JdkSigner(), head -> {});
            AmendIps amend = new AmendIps(accounts, OwnerLimits.NONE, Runnable::run);
            List<UserId> users = Stream.generate(StoreSamples::user).limit(30).toList();
            CompletableFuture.allOf(users.stream()
                            .map(it -> amend.put(it, StoreSamples.ips("0.05")).toCompletableFuture())
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
            List<ChainHead> present = users.stream().map(store.eventLog()::head).toList();
            ChainHead first = present.get(0);
            ChainHead later = new ChainHead(first.userId(), 2, first.hash(), first.createdAt());
            ChainHead other = new ChainHead(users.get(1), 1, first.hash(), first.createdAt());
            ChainHead nobody = new ChainHead(StoreSamples.user(), 1, first.hash(), first.createdAt());

            assertThat(store.chains().missing(present, CommittedHeadsTest::unasked))
                    .isEmpty();
            assertThat(store.chains().missing(List.of(), CommittedHeadsTest::unasked))
                    .isEmpty();
            assertThat(store.chains()
                            .missing(
                                    Stream.concat(present.stream(), Stream.of(later, other, nobody))
                                            .toList(),
                                    CommittedHeadsTest::unasked))
                    .containsExactly(later, other, nobody);

            put(amend, users.get(0), 7);
            assertThat(store.chains().missing(present, CommittedHeadsTest::unasked))
                    .describedAs("chains that went on")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_newest_event_is_the_newest_of_all_chains(Kind kind) {
        try (JdbcStore store = JdbcStore.open(TestStores.config(url(kind), clock))) {
            assertThat(store.newestEvent().after(Instant.EPOCH)).isEmpty();
            AmendIps amend = new AmendIps(
                    TestStores.accounts(store, new JdkSigner(), head -> {}), OwnerLimits.NONE, Runnable::run);
            put(amend, StoreSamples.user(), 1);
            clock.advance(Duration.ofDays(400));
            put(amend, StoreSamples.user(), 1);
            clock.advance(Duration.ofDays(-300));
            put(amend, StoreSamples.user(), 1);

            Instant newest = StoreSamples.START.plus(Duration.ofDays(400));
            assertThat(store.newestEvent().after(newest.minusNanos(1))).contains(newest);
            assertThat(store.newestEvent().after(newest)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_database_is_given_its_id_once_and_its_clock_is_asked_where_it_has_one(Kind kind) {
        String url = url(kind);
        UUID drawn = UUID.randomUUID();
        try (JdbcStore store = JdbcStore.open(TestStores.config(url, clock))) {
            assertThat(store.installation()).isEmpty();
            assertThat(store.establishInstallation(drawn)).isEqualTo(drawn);
            assertThat(store.establishInstallation(UUID.randomUUID())).isEqualTo(drawn);
            assertThat(store.databaseTime().isPresent()).isEqualTo(kind == Kind.POSTGRES);
            store.databaseTime()
                    .ifPresent(time -> assertThat(
                                    Duration.between(time, Instant.now()).abs())
                            .isLessThan(Duration.ofMinutes(1)));
        }
        try (JdbcStore store = JdbcStore.open(TestStores.config(url, clock))) {
            assertThat(store.installation()).contains(drawn);
        }
    }

    private static void put(AmendIps amend, UserId user, int version) {
        amend.put(user, StoreSamples.ips("0.0" + version)).toCompletableFuture().join();
    }

    private static void unasked(ChainHead head) {
        throw new AssertionError(head + " was not looked for");
    }
}
