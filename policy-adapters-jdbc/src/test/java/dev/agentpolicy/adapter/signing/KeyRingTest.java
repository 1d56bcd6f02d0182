package dev.agentpolicy.adapter.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.InMemorySealedKeys;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyRingTest {
    private static final Instant NOW = Instant.parse("2026-11-21T09:40:00.123456Z");

    @TempDir
    private Path directory;

    private SealedKeys keys;
    private Path file;

    @BeforeEach
    void openNothing() {
        keys = new InMemorySealedKeys();
        file = directory.resolve("secrets/master-key.json");
    }

    @Test
    void the_first_start_makes_one_key_for_each_purpose_that_signs() {
        KeyRing ring = KeyRing.open(file, keys, NOW);

        assertThat(keys.all())
                .extracting(SigningKey::purpose)
                .containsExactlyInAnyOrder(Purpose.EVENT, Purpose.ANCHOR, Purpose.SANDBOX);
        assertThat(keys.all()).extracting(SigningKey::validFrom).containsOnly(NOW);
        for (SigningKey key : keys.all()) {
            String signature = ring.signer(key.purpose()).sign("a message");
            assertThat(ring.signer(key.purpose()).keyId()).isEqualTo(key.kid());
            assertThat(new TinkSignatureCheck().isSignedBy(key.x(), "a message", signature))
                    .isTrue();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> ring.signer(Purpose.ROOT));
    }

    @Test
    void the_next_start_signs_with_the_same_keys() {
        KeyRing first = KeyRing.open(file, keys, NOW);
        KeyRing second = KeyRing.open(file, keys, NOW.plusSeconds(60));

        assertThat(keys.all()).hasSize(3);
        assertThat(second.signer(Purpose.EVENT).sign("x"))
                .isEqualTo(first.signer(Purpose.EVENT).sign("x"));
    }

    @Test
    void two_nodes_that_start_at_once_end_with_the_same_keys() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Callable<KeyRing> node = () -> {
            start.await();
            return KeyRing.open(file, keys, NOW);
        };
        ExecutorService nodes = Executors.newFixedThreadPool(2);
        try {
            List<Future<KeyRing>> rings = nodes.invokeAll(List.of(node, node));

            for (Purpose purpose : List.of(Purpose.EVENT, Purpose.ANCHOR, Purpose.SANDBOX)) {
                assertThat(rings.get(0).get().signer(purpose).keyId())
                        .isEqualTo(rings.get(1).get().signer(purpose).keyId());
            }
            assertThat(keys.all()).hasSize(3);
            try (var files = Files.list(file.getParent())) {
                assertThat(files).containsExactly(file);
            }
        } finally {
            nodes.shutdownNow();
        }
    }

    @Test
    void the_master_key_file_and_its_directory_are_for_their_owner_only() throws IOException {
        assumePosix();
        KeyRing.open(file, keys, NOW);

        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(permissions(file.getParent())).isEqualTo("rwx------");
    }

    @Test
    void private_keys_are_stored_sealed() throws IOException {
        KeyRing.open(file, keys, NOW);
        byte[] sealed = keys.active(Purpose.EVENT).orElseThrow().privatePart();
        byte[] again = keys.active(Purpose.ANCHOR).orElseThrow().privatePart();

        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("Ed25519");
        assertThat(sealed).isNotEqualTo(again);
        assertThat(Files.readString(file)).contains("AesGcmKey").doesNotContain("Ed25519");
    }

    @Test
    void a_master_key_file_others_may_read_is_refused() throws IOException {
        assumePosix();
        KeyRing.open(file, keys, NOW);
        for (String open : List.of("rw-r-----", "rw----r--", "rw--w----")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(open));
            refuses("is open to others than its owner; run chmod 600 on it.");
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        assertThat(KeyRing.open(file, keys, NOW)).isNotNull();
    }

    @Test
    void a_damaged_master_key_file_is_refused_and_left_alone() throws IOException {
        KeyRing.open(file, keys, NOW);
        for (String damaged :
                List.of("", "{}", "not json", Files.readString(file).substring(20))) {
            Files.writeString(file, damaged);
            refuses("is damaged; restore it from a backup.");
            assertThat(Files.readString(file)).isEqualTo(damaged);
        }
    }

    @Test
    void a_directory_where_the_master_key_file_should_be_is_refused() throws IOException {
        Files.createDirectories(file);
        assumePosix();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));

        refuses("cannot be read; make it a file this user may read.");
    }

    @Test
    void a_directory_that_cannot_be_made_is_refused() throws IOException {
        Files.writeString(directory.resolve("secrets"), "a file");

        refuses("could not be created; make its directory writable.");
    }

    @Test
    void another_master_key_does_not_open_the_stored_keys() {
        KeyRing.open(directory.resolve("another.json"), new InMemorySealedKeys(), NOW);
        KeyRing.open(file, keys, NOW);
        file = directory.resolve("another.json");

        refuses("does not open the event signing key in the database");
    }

    @Test
    void a_lost_master_key_file_is_not_replaced_by_a_new_one() throws IOException {
        KeyRing.open(file, keys, NOW);
        Files.delete(file);

        refuses("they were sealed with is missing; restore it, or name the right file.");
        assertThat(file).doesNotExist();
    }

    @Test
    void a_private_part_moved_under_another_key_is_refused() {
        KeyRing.open(file, keys, NOW);
        byte[] other = keys.active(Purpose.SANDBOX).orElseThrow().privatePart();
        SealedKey moved = new SealedKey(keys.active(Purpose.EVENT).orElseThrow().key(), other);
        keys = new InMemorySealedKeys();
        keys.storeFirst(moved);

        refuses("does not open the event signing key in the database");
    }

    @Test
    void warming_up_stores_nothing() {
        KeyRing ring = KeyRing.open(file, keys, NOW);
        ring.warmUp();

        assertThat(keys.all()).hasSize(3);
        assertThat(KeyRing.implementation()).startsWith("Tink over Conscrypt");
    }

    private void refuses(String message) {
        assertThatExceptionOfType(UnusableKeys.class)
                .isThrownBy(() -> KeyRing.open(file, keys, NOW))
                .withMessageContaining(message);
    }

    private void assumePosix() {
        assumeTrue(
                directory.getFileSystem().supportedFileAttributeViews().contains("posix"), "needs POSIX permissions");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
