package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import dev.agentpolicy.domain.port.SealedKeys.StateChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of {@link SealedKeys}. */
public interface SealedKeysContract {
    Instant MONDAY = Instant.parse("2026-11-16T08:00:00.000001Z");
    Instant TUESDAY = MONDAY.plusSeconds(86_400);

    /** An empty store. */
    SealedKeys emptyKeys();

    @Test
    default void an_empty_store_has_no_keys() {
        SealedKeys keys = emptyKeys();

        assertThat(keys.all()).isEmpty();
        assertThat(keys.active(Purpose.EVENT)).isEmpty();
    }

    @Test
    default void a_stored_key_is_active_and_has_its_private_part() {
        SealedKeys keys = emptyKeys();
        SealedKey stored = keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1, 2, 3));

        assertThat(stored.key()).isEqualTo(TestKey.ONE.active(Purpose.EVENT, MONDAY));
        assertThat(stored.privatePart()).containsExactly(1, 2, 3);
        assertThat(keys.active(Purpose.EVENT).orElseThrow().key()).isEqualTo(stored.key());
        assertThat(keys.active(Purpose.EVENT).orElseThrow().privatePart()).containsExactly(1, 2, 3);
    }

    @Test
    default void the_first_key_of_a_purpose_stays_active() {
        SealedKeys keys = emptyKeys();
        keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1));
        SealedKey standing = keys.storeFirst(sealed(TestKey.TWO, Purpose.EVENT, TUESDAY, 2));

        assertThat(standing.key().kid()).isEqualTo(TestKey.ONE.keyId());
        assertThat(standing.privatePart()).containsExactly(1);
        assertThat(keys.all()).extracting(SigningKey::kid).containsExactly(TestKey.ONE.keyId());
    }

    @Test
    default void each_purpose_has_its_own_key_and_all_keys_are_listed_oldest_first() {
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
    default void the_private_part_is_a_copy() {
        SealedKeys keys = emptyKeys();
        byte[] bytes = {1, 2, 3};
        keys.storeFirst(new SealedKey(TestKey.ONE.active(Purpose.EVENT, MONDAY), bytes));
        bytes[0] = 9;
        keys.active(Purpose.EVENT).orElseThrow().privatePart()[1] = 9;

        assertThat(keys.active(Purpose.EVENT).orElseThrow().privatePart()).containsExactly(1, 2, 3);
    }

    @Test
    default void two_concurrent_stores_of_a_first_key_get_the_same_key() throws Exception {
        SealedKeys keys = emptyKeys();
        List<SealedKey> answers = atOnce(
                () -> keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1)),
                () -> keys.storeFirst(sealed(TestKey.TWO, Purpose.EVENT, MONDAY, 2)));

        assertThat(answers.get(0).key()).isEqualTo(answers.get(1).key());
        assertThat(answers.get(0).privatePart()).isEqualTo(answers.get(1).privatePart());
        assertThat(keys.all()).containsExactly(answers.get(0).key());
    }

    @Test
    default void a_key_is_found_by_its_id_with_its_private_part() {
        SealedKeys keys = emptyKeys();
        keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1, 2));

        assertThat(keys.find(TestKey.ONE.keyId()).orElseThrow().privatePart()).containsExactly(1, 2);
        assertThat(keys.find(TestKey.TWO.keyId())).isEmpty();
    }

    @Test
    default void a_purpose_has_one_pending_key_which_is_not_the_active_one() {
        SealedKeys keys = emptyKeys();
        keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1));
        SealedKey waiting = waiting(TestKey.TWO, TUESDAY, 2);

        assertThat(keys.storePending(waiting)).isTrue();
        assertThat(keys.storePending(waiting(TestKey.STRANGER, TUESDAY, 3))).isFalse();
        assertThat(keys.active(Purpose.EVENT).orElseThrow().key().kid()).isEqualTo(TestKey.ONE.keyId());
        assertThat(keys.find(TestKey.TWO.keyId()).orElseThrow().key()).isEqualTo(waiting.key());
        assertThat(keys.all()).hasSize(2);
    }

    @Test
    default void of_two_concurrent_stores_of_a_pending_key_one_succeeds() throws Exception {
        SealedKeys keys = emptyKeys();
        keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1));

        assertThat(atOnce(
                        () -> keys.storePending(waiting(TestKey.TWO, TUESDAY, 2)),
                        () -> keys.storePending(waiting(TestKey.STRANGER, TUESDAY, 3))))
                .containsExactlyInAnyOrder(true, false);
        assertThat(keys.all()).hasSize(2);
    }

    @Test
    default void a_public_key_is_listed_with_its_attestation_and_never_signs() {
        SealedKeys keys = emptyKeys();
        SigningKey root = TestKey.ROOT.active(Purpose.ROOT, MONDAY).attestedBy(TestKey.ONE.keyId(), TestKey.ONE::sign);
        keys.storePublic(root);

        assertThat(keys.all()).containsExactly(root);
        assertThat(keys.active(Purpose.ROOT)).isEmpty();
        assertThat(keys.find(root.kid())).isEmpty();
    }

    @Test
    default void keys_change_state_together() {
        SealedKeys keys = emptyKeys();
        SigningKey one =
                keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1)).key();
        SigningKey two = waiting(TestKey.TWO, TUESDAY, 2).key();
        keys.storePending(waiting(TestKey.TWO, TUESDAY, 2));

        assertThat(keys.advance(
                        List.of(new StateChange(one, one.retired(TUESDAY)), new StateChange(two, two.activated()))))
                .isTrue();
        assertThat(keys.all()).containsExactly(one.retired(TUESDAY), two.activated());
        assertThat(keys.active(Purpose.EVENT).orElseThrow().privatePart()).containsExactly(2);
    }

    @Test
    default void when_one_key_has_changed_none_changes_state() {
        SealedKeys keys = emptyKeys();
        SigningKey one =
                keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1)).key();
        SigningKey never = waiting(TestKey.TWO, TUESDAY, 2).key();

        assertThat(keys.advance(
                        List.of(new StateChange(one, one.retired(TUESDAY)), new StateChange(never, never.activated()))))
                .isFalse();
        assertThat(keys.all()).containsExactly(one);
        assertThat(keys.active(Purpose.EVENT)).isPresent();
    }

    @Test
    default void a_stolen_key_is_revoked_and_replaced_in_one_step() {
        SealedKeys keys = emptyKeys();
        SigningKey stolen =
                keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1)).key();
        SigningKey waits = waiting(TestKey.STRANGER, TUESDAY, 3).key();
        keys.storePending(waiting(TestKey.STRANGER, TUESDAY, 3));
        SealedKey next = sealed(TestKey.TWO, Purpose.EVENT, TUESDAY.plusSeconds(1), 2);
        List<StateChange> ended = List.of(
                new StateChange(stolen, stolen.compromised(TUESDAY, MONDAY)),
                new StateChange(waits, waits.compromised(TUESDAY, MONDAY)));

        assertThat(keys.replace(ended, next)).isTrue();
        assertThat(keys.active(Purpose.EVENT).orElseThrow().key()).isEqualTo(next.key());
        assertThat(keys.all())
                .containsExactlyInAnyOrder(ended.get(0).after(), ended.get(1).after(), next.key());
        assertThat(keys.replace(ended, sealed(TestKey.ANCHOR, Purpose.EVENT, TUESDAY, 4)))
                .describedAs("once only")
                .isFalse();
        assertThat(keys.all()).hasSize(3);
    }

    @Test
    default void only_private_parts_of_keys_that_stopped_long_ago_are_destroyed() {
        SealedKeys keys = emptyKeys();
        SigningKey one =
                keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1)).key();
        keys.replace(
                List.of(new StateChange(one, one.compromised(TUESDAY, MONDAY))),
                sealed(TestKey.TWO, Purpose.EVENT, TUESDAY, 2));

        assertThat(keys.destroyUnused(TUESDAY)).isZero();
        assertThat(keys.destroyUnused(TUESDAY.plusSeconds(1))).isEqualTo(1);
        assertThat(keys.destroyUnused(TUESDAY.plusSeconds(1))).isZero();
        assertThat(keys.find(one.kid())).isEmpty();
        assertThat(keys.find(TestKey.TWO.keyId())).isPresent();
        assertThat(keys.all()).extracting(SigningKey::kid).contains(one.kid());
    }

    @Test
    default void all_private_parts_are_resealed_and_nothing_else_changes() {
        SealedKeys keys = threeKeys();
        List<SigningKey> before = keys.all();

        assertThat(keys.reseal(kept -> new SealedKey(kept.key(), new byte[] {kept.privatePart()[0], 9})))
                .isEqualTo(2);
        assertThat(keys.all()).isEqualTo(before);
        assertThat(keys.active(Purpose.EVENT).orElseThrow().privatePart()).containsExactly(1, 9);
        assertThat(keys.find(TestKey.TWO.keyId()).orElseThrow().privatePart()).containsExactly(2, 9);
        assertThat(keys.find(TestKey.ROOT.keyId())).isEmpty();
    }

    @Test
    default void when_one_key_cannot_be_resealed_all_stay_unchanged() {
        SealedKeys keys = threeKeys();

        assertThatThrownBy(() -> keys.reseal(kept -> {
                    if (kept.key().kid().equals(TestKey.TWO.keyId())) {
                        throw new IllegalArgumentException("cannot be sealed");
                    }
                    return new SealedKey(kept.key(), new byte[] {9});
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(keys.active(Purpose.EVENT).orElseThrow().privatePart()).containsExactly(1);
        assertThat(keys.find(TestKey.TWO.keyId()).orElseThrow().privatePart()).containsExactly(2);
    }

    /** An active key, a pending key and a key without a private part. */
    private SealedKeys threeKeys() {
        SealedKeys keys = emptyKeys();
        keys.storeFirst(sealed(TestKey.ONE, Purpose.EVENT, MONDAY, 1));
        keys.storePending(waiting(TestKey.TWO, TUESDAY, 2));
        keys.storePublic(TestKey.ROOT.active(Purpose.ROOT, MONDAY));
        return keys;
    }

    private static <T> List<T> atOnce(Callable<T> one, Callable<T> other) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            List<T> answers = new ArrayList<>();
            for (Future<T> answer : both.invokeAll(List.of(after(start, one), after(start, other)))) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            both.shutdownNow();
        }
    }

    private static <T> Callable<T> after(CyclicBarrier start, Callable<T> work) {
        return () -> {
            start.await();
            return work.call();
        };
    }

    private static SealedKey waiting(TestKey key, Instant validFrom, int privatePart) {
        return new SealedKey(SigningKey.pending(key.x(), Purpose.EVENT, validFrom), new byte[] {(byte) privatePart});
    }

    private static SealedKey sealed(TestKey key, Purpose purpose, Instant validFrom, int... bytes) {
        byte[] privatePart = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            privatePart[i] = (byte) bytes[i];
        }
        return new SealedKey(key.active(purpose, validFrom), privatePart);
    }
}
