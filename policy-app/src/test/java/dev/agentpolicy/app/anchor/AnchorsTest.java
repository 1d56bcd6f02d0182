package dev.agentpolicy.app.anchor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.Database;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.security.SecureRandomSource;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.anchor.AnchorNote;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on one PostgreSQL, and the anchors either could write (docs/verify.md, Anchors). */
class AnchorsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock(StoreSamples.START);
    private final UserId user = StoreSamples.user();
    private final List<Side> sides = new ArrayList<>();
    private String url;
    private Side one;
    private Side other;

    /** A node, as far as it writes chains and anchors. */
    private record Side(JdbcStore store, Anchors anchors, AmendIps amend) {

        void append(UserId user, int times) {
            for (int i = 0; i < times; i++) {
                amend.put(user, StoreSamples.ips("0.0" + (i % 8 + 1)))
                        .toCompletableFuture()
                        .join();
            }
        }
    }

    @BeforeEach
    void start() {
        url = Database.POSTGRES.fresh(folder);
        one = side();
        other = side();
        one.append(user, 2);
        other.append(StoreSamples.user(), 1);
    }

    @AfterEach
    void stop() {
        sides.forEach(side -> side.store.close());
        sides.clear();
    }

    @Test
    void one_node_writes_them_and_another_takes_over_when_it_is_gone() throws Exception {
        assertThat(one.anchors.write(HOUR)).isEqualTo(2);
        assertThat(other.anchors.write(HOUR)).isZero();
        clock.advance(HOUR);
        assertThat(other.anchors.write(HOUR)).describedAs("the lease has ended").isEqualTo(2);
        assertThat(one.anchors.write(HOUR)).isZero();
        other.anchors.close();
        clock.advance(HOUR);
        assertThat(one.anchors.write(HOUR)).describedAs("it was given back").isEqualTo(2);

        String before = null;
        for (int number = 1; number <= 3; number++) {
            String text = Files.readString(note(number));
            AnchorNote note = AnchorNote.read(text);
            assertThat(note.number()).isEqualTo(number);
            assertThat(note.size()).isEqualTo(2);
            assertThat(text).contains(before == null ? "0".repeat(64) : Sha256.hex(before));
            before = text;
        }
        assertThat(note(4)).doesNotExist();
    }

    @Test
    void chains_that_grow_on_both_nodes_while_one_anchors_are_no_alarm() {
        List<UserId> users = Stream.generate(StoreSamples::user).limit(4).toList();
        CompletableFuture<?>[] growing = Stream.of(one, other)
                .flatMap(side -> users.stream().map(it -> CompletableFuture.runAsync(() -> side.append(it, 40))))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture<Void> all = CompletableFuture.allOf(growing);
        int written = 0;
        while (written < 5 || !all.isDone()) {
            assertThat(one.anchors.write(Duration.ZERO)).isPositive();
            other.anchors.requireNotBehind();
            written++;
        }
        all.join();

        assertThat(one.anchors.write(Duration.ZERO)).isEqualTo(6);
        other.anchors.requireNotBehind();
        side().anchors.requireNotBehind();
    }

    @Test
    void nodes_that_begin_at_once_share_one_salt() throws Exception {
        for (int round = 0; round < 50; round++) {
            AnchorFiles files = new AnchorFiles(Files.createDirectories(folder.resolve("salt-" + round)));
            Set<String> salts = new HashSet<>();
            Stream.generate(() ->
                            CompletableFuture.supplyAsync(() -> files.salt(() -> new SecureRandomSource().bytes(16))))
                    .limit(4)
                    .toList()
                    .forEach(salt -> salts.add(salt.join()));
            assertThat(salts).hasSize(1).allMatch(salt -> salt.length() == 32);
        }
    }

    @Test
    void nodes_that_run_while_the_database_is_put_back_stop_adding_to_it() throws Exception {
        stop();
        Runnable backup = Database.POSTGRES.backUp(folder, url);
        one = side();
        other = side();
        one.append(user, 100);
        one.anchors.write(HOUR);
        assertThat(note(1)).exists();
        backup.run();
        clock.advance(HOUR.plusMinutes(10));

        for (Side side : List.of(one, other)) {
            assertThat(refusal(() -> side.anchors.write(HOUR)))
                    .isInstanceOf(CannotStart.class)
                    .hasMessageContaining("1 chain lacks 100 rows.");
            assertThat(refusal(() -> side.append(user, 1)))
                    .hasCauseInstanceOf(Unavailable.class)
                    .hasStackTraceContaining("gone back behind what was anchored");
        }
        assertThat(note(2)).doesNotExist();
        assertThat(one.store.eventLog().head(user).seq()).isEqualTo(2);
    }

    /** What is thrown once the connections that were cut off are replaced. */
    private static Throwable refusal(Runnable action) throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            try {
                action.run();
                throw new AssertionError("Nothing was refused.");
            } catch (Unavailable cutOff) {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (RuntimeException refused) {
                return refused;
            }
        }
        throw new AssertionError("The database does not come back.");
    }

    private Path note(int number) {
        return folder.resolve("anchors").resolve(String.format("%010d.note", number));
    }

    private Side side() {
        JdbcStore store = JdbcStore.open(DatabaseConfig.of(url, null, null, clock, new SecureRandomSource()));
        KeyRing keys = KeyRing.open(folder.resolve("master-key.json"), store.sealedKeys(), clock);
        Anchors anchors = new Anchors(
                new Config.Anchoring(folder.resolve("anchors"), HOUR, 0),
                store,
                keys.signer(Purpose.ANCHOR),
                clock,
                new SecureRandomSource());
        AmendIps amend = new AmendIps(
                store.accounts(anchors.guarding(keys.signer(Purpose.EVENT))), OwnerLimits.NONE, Runnable::run);
        Side side = new Side(store, anchors, amend);
        sides.add(side);
        return side;
    }
}
