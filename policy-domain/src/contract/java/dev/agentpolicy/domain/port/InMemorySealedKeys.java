package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.signing.SigningKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Sealed keys in memory. */
public final class InMemorySealedKeys implements SealedKeys {
    private byte @Nullable [] tokenSecret;
    private final List<SealedKey> keys = new ArrayList<>();

    @Override
    public synchronized List<SigningKey> all() {
        return keys.stream()
                .map(SealedKey::key)
                .sorted(Comparator.comparing(SigningKey::validFrom).thenComparing(SigningKey::kid))
                .toList();
    }

    @Override
    public synchronized Optional<SealedKey> active(SigningKey.Purpose purpose) {
        return keys.stream()
                .filter(kept -> kept.key().purpose() == purpose)
                .filter(kept -> kept.key().status() == SigningKey.KeyStatus.ACTIVE && kept.privatePart().length > 0)
                .findFirst()
                .map(InMemorySealedKeys::copy);
    }

    @Override
    public synchronized SealedKey storeFirst(SealedKey key) {
        return active(key.key().purpose()).orElseGet(() -> {
            keys.add(copy(key));
            return copy(key);
        });
    }

    @Override
    public synchronized Optional<SealedKey> find(String kid) {
        return keys.stream()
                .filter(kept -> kept.key().kid().equals(kid) && kept.privatePart().length > 0)
                .findFirst()
                .map(InMemorySealedKeys::copy);
    }

    @Override
    public synchronized boolean storePending(SealedKey key) {
        boolean waits = keys.stream()
                .map(SealedKey::key)
                .anyMatch(
                        kept -> kept.purpose() == key.key().purpose() && kept.status() == SigningKey.KeyStatus.PENDING);
        return !waits && keys.add(copy(key));
    }

    @Override
    public synchronized void storePublic(SigningKey key) {
        keys.add(new SealedKey(key, new byte[0]));
    }

    @Override
    public synchronized boolean advance(List<StateChange> steps) {
        if (!all().containsAll(steps.stream().map(StateChange::before).toList())) {
            return false;
        }
        steps.forEach(step -> keys.replaceAll(
                kept -> kept.key().equals(step.before()) ? new SealedKey(step.after(), kept.privatePart()) : kept));
        return true;
    }

    @Override
    public synchronized boolean replace(List<StateChange> ended, SealedKey next) {
        return advance(ended) && keys.add(copy(next));
    }

    @Override
    public synchronized int destroyUnused(Instant stoppedBefore) {
        int destroyed = 0;
        for (SealedKey kept : List.copyOf(keys)) {
            Instant until = kept.key().validUntil();
            if (until != null && until.isBefore(stoppedBefore) && kept.privatePart().length > 0) {
                keys.set(keys.indexOf(kept), new SealedKey(kept.key(), new byte[0]));
                destroyed++;
            }
        }
        return destroyed;
    }

    @Override
    public synchronized int reseal(UnaryOperator<SealedKey> sealing) {
        List<SealedKey> resealed = keys.stream()
                .map(kept -> kept.privatePart().length == 0 ? kept : copy(sealing.apply(copy(kept))))
                .toList();
        keys.clear();
        keys.addAll(resealed);
        return (int) keys.stream().filter(kept -> kept.privatePart().length > 0).count();
    }

    @Override
    public synchronized Optional<byte[]> tokenSecret() {
        return Optional.ofNullable(tokenSecret).map(byte[]::clone);
    }

    @Override
    public synchronized byte[] storeTokenSecret(Function<SealedKey, byte[]> sealing) {
        byte[] made = sealing.apply(active(SigningKey.Purpose.EVENT).orElseThrow());
        if (tokenSecret == null) {
            tokenSecret = made;
        }
        return tokenSecret.clone();
    }

    @Override
    public synchronized void resealTokenSecret(UnaryOperator<byte[]> sealing) {
        if (tokenSecret != null) {
            tokenSecret = sealing.apply(tokenSecret);
        }
    }

    private static SealedKey copy(SealedKey kept) {
        return new SealedKey(kept.key(), kept.privatePart().clone());
    }
}
