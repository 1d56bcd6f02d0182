package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.SigningKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Keys of a service that is gone with its process. */
public final class SealedKeysInMemory implements SealedKeys {
    private final List<Sealed> keys = new ArrayList<>();

    @Override
    public synchronized List<SigningKey> all() {
        return keys.stream()
                .map(Sealed::key)
                .sorted(Comparator.comparing(SigningKey::validFrom).thenComparing(SigningKey::kid))
                .toList();
    }

    @Override
    public synchronized Optional<Sealed> active(SigningKey.Purpose purpose) {
        return keys.stream()
                .filter(kept -> kept.key().purpose() == purpose)
                .filter(kept -> kept.key().status() == SigningKey.Status.ACTIVE)
                .findFirst()
                .map(SealedKeysInMemory::copy);
    }

    @Override
    public synchronized Sealed storeFirst(Sealed key) {
        return active(key.key().purpose()).orElseGet(() -> {
            keys.add(copy(key));
            return copy(key);
        });
    }

    private static Sealed copy(Sealed kept) {
        return new Sealed(kept.key(), kept.privatePart().clone());
    }
}
