package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.event.SigningKey.Purpose;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.port.SealedKeys.Sealed;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every keeper of sealed keys does. */
public interface SealedKeysContract {
    Instant MONDAY = Instant.parse("2026-11-16T08:00:00.000001Z");
    Instant TUESDAY = MONDAY.plusSeconds(86_400);

    /** A keeper without keys. */
    SealedKeys emptyKeys();

    @Test
    default void there_are_no_keys_at_first() {
        SealedKeys keys = emptyKeys();

        assertThat(keys.all()).isEmpty();
        assertThat(keys.active(Purpose.EVENT)).isEmpty();
    }

    @Test
    default void a_stored_key_is_the_active_one_with_its_private_part() {
        SealedKeys keys = emptyKeys();
        Sealed stored = keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1, 2, 3));

        assertThat(stored.key()).isEqualTo(TestKey.ONE.active(Purpose.EVENT, MONDAY));
        assertThat(stored.privatePart()).containsExactly(1, 2, 3);
        assertThat(keys.active(Purpose.EVENT).orElseThrow().key()).isEqualTo(stored.key());
        assertThat(keys.active(Purpose.EVENT).orElseThrow().privatePart()).containsExactly(1, 2, 3);
    }

    @Test
    default void the_first_key_of_a_purpose_stands() {
        SealedKeys keys = emptyKeys();
        keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1));
        Sealed standing = keys.storeFirst(sealed(TestKey.TWO, Purpose.EVENT, TUESDAY, 2));

        assertThat(standing.key().kid()).isEqualTo(TestKey.ONE.keyId());
        assertThat(standing.privatePart()).containsExactly(1);
        assertThat(keys.all()).extracting(SigningKey::kid).containsExactly(TestKey.ONE.keyId());
    }

    @Test
    default void each_purpose_has_its_own_key_and_all_are_listed_oldest_first() {
        SealedKeys keys = emptyKeys();
        keys.storeFirst(sealed(TestKey.TWO, Purpose.SANDBOX, TUESDAY, 2));
        keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1));

        assertThat(keys.all())
                .containsExactly(
                        TestKey.ONE.active(Purpose.EVENT, MONDAY), TestKey.TWO.active(Purpose.SANDBOX, TUESDAY));
        assertThat(keys.active(Purpose.SANDBOX).orElseThrow().key().kid()).isEqualTo(TestKey.TWO.keyId());
        assertThat(keys.active(Purpose.ANCHOR)).isEmpty();
    }

    @Test
    default void the_bytes_belong_to_the_receiver() {
        SealedKeys keys = emptyKeys();
        byte[] bytes = {1, 2, 3};
        keys.storeFirst(new Sealed(TestKey.ONE.active(Purpose.EVENT, MONDAY), bytes));
        bytes[0] = 9;
        keys.active(Purpose.EVENT).orElseThrow().privatePart()[1] = 9;

        assertThat(keys.active(Purpose.EVENT).orElseThrow().privatePart()).containsExactly(1, 2, 3);
    }

    @Test
    default void of_two_who_store_at_once_both_get_the_same_key() throws Exception {
        SealedKeys keys = emptyKeys();
        CyclicBarrier start = new CyclicBarrier(2);
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            List<Future<Sealed>> answers = both.invokeAll(List.of(
                    storing(keys, start, sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1)),
                    storing(keys, start, sealed(TestKey.TWO, Purpose.EVENT, MONDAY, 2))));

            Sealed first = answers.get(0).get();
            Sealed second = answers.get(1).get();
            assertThat(first.key()).isEqualTo(second.key());
            assertThat(first.privatePart()).isEqualTo(second.privatePart());
            assertThat(keys.all()).containsExactly(first.key());
        } finally {
            both.shutdownNow();
        }
    }

    private static Callable<Sealed> storing(SealedKeys keys, CyclicBarrier start, Sealed key) {
        return () -> {
            start.await();
            return keys.storeFirst(key);
        };
    }

    private static Sealed sealed(TestKey key, Purpose purpose, Instant validFrom, int... bytes) {
        byte[] privatePart = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            privatePart[i] = (byte) bytes[i];
        }
        return new Sealed(key.active(purpose, validFrom), privatePart);
    }
}
