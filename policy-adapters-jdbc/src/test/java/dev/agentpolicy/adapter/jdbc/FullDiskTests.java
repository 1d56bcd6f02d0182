package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreContract;
import dev.agentpolicy.domain.port.StoreSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real disk that is full: the database cannot write, and nobody starts anything again. */
abstract class FullDiskTests implements StoreContract {
    private static final int ROUNDS = 3;
    private static final int MAX_DECISIONS = 100_000;
    private static final long ROOM_FOR_SOME = 120_000;
    private static final int TRIES = 200;
    private static final long PAUSE_MILLIS = 50;

    private final SettableClock clock = new SettableClock(StoreSamples.START);
    private final JdkSigner signer = new JdkSigner();
    private final UserId user = StoreSamples.user();
    private final AgentKeyId key = new AgentKeyId(UUID.randomUUID());
    private final List<Receipt> acknowledged = new ArrayList<>();
    private Ports ports;

    @TempDir
    Path folder;

    /** Megabytes an empty database of this kind fits into. */
    abstract int size();

    /** Makes an empty database on a disk. */
    abstract Running database(SmallDisk disk) throws Exception;

    /** A database, closed with whatever runs it. */
    interface Running extends AutoCloseable {
        String url();

        @Override
        void close() throws IOException;
    }

    @Test
    void after_a_full_disk_nothing_acknowledged_is_lost_and_deciding_goes_on_without_a_restart() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), size());
                Running database = database(disk)) {
            DatabaseConfig config = TestStores.config(database.url(), clock).withPatience(Duration.ofSeconds(1));
            try (JdbcStore store = JdbcStore.open(config)) {
                ports = TestStores.ports(store, signer);
                decide();
                for (int round = 0; round < ROUNDS; round++) {
                    disk.fillUpTo(ROOM_FOR_SOME);
                    decideUntilRefused();
                    disk.makeRoom();
                    decideOnceItIsTaken();

                    assertThat(verify(user).isIntact()).isTrue();
                    assertThat(chain(user)).extracting(PolicyEvent::hash).containsAll(hashes());
                    assertThat(store.isReady()).isTrue();
                }
            }
            try (JdbcStore again = JdbcStore.open(config)) {
                ports = TestStores.ports(again, signer);
                decide();
                assertThat(verify(user).isIntact()).isTrue();
                assertThat(chain(user)).extracting(PolicyEvent::hash).containsAll(hashes());
            }
        }
    }

    private List<String> hashes() {
        return acknowledged.stream().map(Receipt::hash).toList();
    }

    private void decide() {
        acknowledged.add(
                ports.accounts().change(user, deciding()).toCompletableFuture().join());
    }

    private Change<Receipt> deciding() {
        return StoreSamples.change(LoadSpec.tally(key), account -> {
            Tally tally = account.tally(key).plusCall();
            return new Outcome.Recording()
                    .tally(key, tally)
                    .event(StoreSamples.decided(key, true, account.now()))
                    .answer(receipts -> receipts.get(0));
        });
    }

    private void decideUntilRefused() {
        for (int i = 0; i < MAX_DECISIONS; i++) {
            try {
                decide();
            } catch (CompletionException refused) {
                assertThat(refused.getCause()).isInstanceOf(Unavailable.class);
                return;
            }
        }
        throw new AssertionError("The disk did not get full.");
    }

    private void decideOnceItIsTaken() throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            try {
                decide();
                return;
            } catch (CompletionException refused) {
                assertThat(refused.getCause()).isInstanceOf(Unavailable.class);
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        throw new AssertionError("There is room, and nothing is taken.");
    }

    @Override
    public Ports ports() {
        return ports;
    }

    @Override
    public SettableClock clock() {
        return clock;
    }

    @Override
    public SigningKey signingKey() {
        return signer.key();
    }
}
