package dev.agentpolicy.adapter.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentpolicy.adapter.signing.MasterKeyRewrap.RewrapStep;
import dev.agentpolicy.adapter.signing.MasterKeyRewrap.Rewrapped;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.InMemorySealedCredentials;
import dev.agentpolicy.domain.port.InMemorySealedKeys;
import dev.agentpolicy.domain.port.SealedCredentials;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replacing the master key (docs/operations.md, A new master key). */
class MasterKeyRewrapTest {
    private static final Instant NOW = Instant.parse("2026-11-21T09:40:00.123456Z");
    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private static final UserId USER = new UserId(new UUID(1, 2));
    private static final BrokerCredentials BROKER = new BrokerCredentials(BrokerEnvironment.PAPER, "PK123", "secret");

    @TempDir
    private Path directory;

    private SealedKeys keys;
    private SealedCredentials credentials;
    private Path file;
    private Path copyOfOld;

    @BeforeEach
    void storeKeysWithAPendingOne() throws IOException {
        keys = new InMemorySealedKeys();
        file = directory.resolve("master-key.json");
        credentials = new InMemorySealedCredentials(keys);
        KeyRing ring = KeyRing.open(file, keys, NOW);
        ring.prepareNext(NOW.plusSeconds(600));
        ring.custodianCredentials(credentials).store(USER, "broker", 1, BROKER);
        copyOfOld = directory.resolve("copy.json");
        Files.copy(file, copyOfOld, StandardCopyOption.COPY_ATTRIBUTES);
    }

    @Test
    void every_key_is_sealed_with_the_new_master_key_and_the_old_one_opens_none() throws IOException {
        List<SigningKey> before = keys.all();

        assertThat(MasterKeyRewrap.run(file, keys, credentials)).isEqualTo(new Rewrapped(4, 1));

        assertThat(keys.all()).isEqualTo(before);
        assertOpensEverything();
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(OWNER_ONLY);
        assertThat(MasterKey.keyset(file).size()).isEqualTo(1);
        assertOldKeyOpensNothing();
        assertOnlyTheNewFileIsLeft();
    }

    @ParameterizedTest
    @EnumSource
    void after_an_interruption_at_any_step_the_file_opens_every_key_and_the_next_run_finishes(RewrapStep last)
            throws IOException {
        assertThatIllegalStateException().isThrownBy(() -> endingAfter(last, keys));

        assertOpensEverything();
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(OWNER_ONLY);
        Path old = MasterKeyRewrap.oldFile(file);
        assertThat(Files.exists(old)).isEqualTo(last != RewrapStep.OLD_FILE_REMOVED);
        if (last != RewrapStep.OLD_FILE_REMOVED) {
            assertThat(Files.getPosixFilePermissions(old)).isEqualTo(OWNER_ONLY);
        }

        MasterKeyRewrap.run(file, keys, credentials);
        assertOpensEverything();
        assertOldKeyOpensNothing();
        assertOnlyTheNewFileIsLeft();
    }

    @ParameterizedTest
    @EnumSource(names = {"FILE_HOLDS_BOTH", "SEALED_ANEW"})
    void a_transaction_whose_outcome_is_unknown_does_no_harm(RewrapStep around) throws IOException {
        SealedKeys failing = new FailingKeys(keys, around == RewrapStep.SEALED_ANEW);
        assertThatExceptionOfType(Unavailable.class).isThrownBy(() -> endingAfter(null, failing));

        assertOpensEverything();
        MasterKeyRewrap.run(file, keys, credentials);
        assertOpensEverything();
        assertOldKeyOpensNothing();
    }

    @Test
    void a_file_that_does_not_open_every_key_is_not_changed() throws IOException {
        MasterKeyRewrap.run(file, keys, credentials);
        Files.copy(copyOfOld, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        String before = Files.readString(file);

        assertThatExceptionOfType(UnusableKeys.class)
                .isThrownBy(() -> MasterKeyRewrap.run(file, keys, credentials))
                .withMessageContaining("does not open");

        assertThat(Files.readString(file)).isEqualTo(before);
        assertOnlyTheNewFileIsLeft();
    }

    @Test
    void a_file_that_others_may_read_is_refused() throws IOException {
        Files.setPosixFilePermissions(file, Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OTHERS_READ));

        assertThatExceptionOfType(UnusableKeys.class)
                .isThrownBy(() -> MasterKeyRewrap.run(file, keys, credentials))
                .withMessageContaining("chmod 600");
    }

    @Test
    void a_link_to_the_file_stays_a_link() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link.json"), file);

        MasterKeyRewrap.run(link, keys, credentials);

        assertThat(link).isSymbolicLink();
        assertOldKeyOpensNothing();
        KeyRing.open(link, keys, NOW);
    }

    @Test
    void a_running_node_continues_and_reads_the_new_file_when_needed() {
        SettableClock clock = new SettableClock(NOW);
        EventSigner running = KeyRing.open(file, keys, clock).signer(Purpose.EVENT);
        String first = running.keyId();

        MasterKeyRewrap.run(file, keys, credentials);
        assertThat(running.sign("message")).isNotEmpty();

        clock.set(NOW.plusSeconds(601));
        assertThat(running.from(first)).isPresent();
        assertThat(running.keyId()).isNotEqualTo(first);
    }

    @Test
    void a_node_with_a_copy_of_the_old_file_signs_again_once_it_has_the_new_file() throws IOException {
        SettableClock clock = new SettableClock(NOW);
        EventSigner elsewhere = KeyRing.open(copyOfOld, keys, clock).signer(Purpose.EVENT);
        String first = elsewhere.keyId();

        MasterKeyRewrap.run(file, keys, credentials);
        clock.set(NOW.plusSeconds(590));
        assertThat(elsewhere.sign("message")).isNotEmpty();
        clock.set(NOW.plusSeconds(601));
        assertThatExceptionOfType(Unavailable.class)
                .isThrownBy(() -> elsewhere.from(first))
                .withMessageContaining("cannot be opened now");

        Files.copy(file, copyOfOld, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(elsewhere.from(first)).isPresent();
    }

    private void endingAfter(@Nullable RewrapStep last, SealedKeys kept) {
        new MasterKeyRewrap(file, kept, credentials, step -> {
                    if (step == last) {
                        throw new IllegalStateException("The process ends.");
                    }
                })
                .run();
    }

    private void assertOpensEverything() {
        KeySafe safe = KeySafe.read(file);
        assertThat(keys.all()).hasSize(4).allSatisfy(key -> {
            String signature = safe.open(keys.find(key.kid()).orElseThrow()).sign("message");
            assertThat(new TinkSignatureCheck().isSignedBy(key.x(), "message", signature))
                    .isTrue();
        });
        assertThat(credentials.all())
                .hasSize(1)
                .allSatisfy(it -> assertThat(safe.open(it)).isEqualTo(BROKER));
    }

    private void assertOldKeyOpensNothing() {
        KeySafe old = KeySafe.read(copyOfOld);
        assertThat(keys.all())
                .allSatisfy(key -> assertThatExceptionOfType(UnusableKeys.class)
                        .isThrownBy(() -> old.open(keys.find(key.kid()).orElseThrow())));
        assertThat(credentials.all())
                .allSatisfy(it -> assertThatExceptionOfType(UnusableKeys.class).isThrownBy(() -> old.open(it)));
    }

    private void assertOnlyTheNewFileIsLeft() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(file, copyOfOld);
        }
    }

    /** Loses the connection during COMMIT. */
    private record FailingKeys(SealedKeys keys, boolean isCommitted) implements SealedKeys {
        @Override
        public int reseal(UnaryOperator<SealedKey> sealing) {
            if (isCommitted) {
                keys.reseal(sealing);
            } else {
                keys.all().forEach(key -> sealing.apply(keys.find(key.kid()).orElseThrow()));
            }
            throw new Unavailable("The connection was lost.");
        }

        @Override
        public List<SigningKey> all() {
            return keys.all();
        }

        @Override
        public Optional<SealedKey> active(Purpose purpose) {
            return keys.active(purpose);
        }

        @Override
        public SealedKey storeFirst(SealedKey key) {
            return keys.storeFirst(key);
        }

        @Override
        public Optional<SealedKey> find(String kid) {
            return keys.find(kid);
        }

        @Override
        public boolean storePending(SealedKey key) {
            return keys.storePending(key);
        }

        @Override
        public void storePublic(SigningKey key) {
            keys.storePublic(key);
        }

        @Override
        public boolean advance(List<StateChange> steps) {
            return keys.advance(steps);
        }

        @Override
        public boolean replace(List<StateChange> ended, SealedKey next) {
            return keys.replace(ended, next);
        }

        @Override
        public int destroyUnused(Instant stoppedBefore) {
            return keys.destroyUnused(stoppedBefore);
        }

        @Override
        public Optional<byte[]> tokenSecret() {
            return keys.tokenSecret();
        }

        @Override
        public byte[] storeTokenSecret(Function<SealedKey, byte[]> sealing) {
            return keys.storeTokenSecret(sealing);
        }

        @Override
        public void resealTokenSecret(UnaryOperator<byte[]> sealing) {
            keys.resealTokenSecret(sealing);
        }
    }
}
