package dev.agentpolicy.adapter.signing;

import dev.agentpolicy.adapter.signing.KeySafe.TinkEventSigner;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import dev.agentpolicy.domain.port.SealedKeys.StateChange;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs rows and heads with the active event key, and activates a pending key that is due. All nodes use the same key
 * within 30 seconds.
 */
final class ActiveKeySigner implements EventSigner {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveKeySigner.class);

    static final Duration REFRESHED_AFTER = Duration.ofSeconds(30);
    /** Nothing is signed with an older view of the database, because another node may have revoked the key. */
    static final Duration MAX_STALENESS = Duration.ofMinutes(2);
    /** The pause after a failed refresh. */
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(2);
    /** How often a key that does not open is logged. */
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private final SealedKeys keys;
    private final KeySafe safe;
    private final InstantSource clock;
    private final Map<String, TinkEventSigner> opened = new ConcurrentHashMap<>();
    private final ReentrantLock refreshing = new ReentrantLock();
    private final AtomicInteger refreshes = new AtomicInteger();
    private volatile @Nullable KeySnapshot latest;
    private volatile @Nullable Long failedNanos;
    private volatile @Nullable Long loggedNanos;

    ActiveKeySigner(SealedKeys keys, KeySafe safe, InstantSource clock) {
        this.keys = keys;
        this.safe = safe;
        this.clock = clock;
        refresh();
    }

    /** The keys as of the last refresh. */
    private record KeySnapshot(TinkEventSigner signer, SigningKey key, Map<String, SigningKey> all, Instant at) {}

    @Override
    public String keyId() {
        return current().keyId();
    }

    @Override
    public String sign(String message) {
        return current().sign(message);
    }

    @Override
    public EventSigner current() {
        return snapshot().signer;
    }

    @Override
    public Optional<EventSigner.Rollover> from(String lastKeyId) {
        KeySnapshot now = snapshot();
        SigningKey last = now.all.get(lastKeyId);
        if (last == null || last.status().compareTo(KeyStatus.RETIRED) < 0) {
            now = refresh();
            last = now.all.get(lastKeyId);
        }
        if (lastKeyId.equals(now.key.kid())) {
            return Optional.empty();
        }
        if (last == null || last.status().compareTo(KeyStatus.RETIRED) < 0) {
            throw new UnusableKeys(
                    "The last row of a chain was signed by " + lastKeyId
                            + ", which is neither active nor retired nor revoked; restore the table of signing keys.",
                    null);
        }
        EventSigner oldSigner = last.isCompromised() ? null : old(lastKeyId);
        return Optional.of(new EventSigner.Rollover(lastKeyId, now.key, now.signer, oldSigner));
    }

    private TinkEventSigner old(String kid) {
        return opened.computeIfAbsent(
                kid,
                any -> safe.open(keys.find(any)
                        .orElseThrow(() -> new UnusableKeys(
                                "The private part of " + any + " was destroyed, but a chain still needs it.", null))));
    }

    private KeySnapshot snapshot() {
        KeySnapshot last = latest;
        if (last == null) {
            return refresh();
        }
        Duration age = Duration.between(last.at, clock.instant());
        if (age.compareTo(REFRESHED_AFTER) < 0) {
            return last;
        }
        boolean isStale = age.compareTo(MAX_STALENESS) >= 0;
        try {
            requireNoRecentFailure();
            return !isStale && refreshes.get() > 0 ? last : refresh();
        } catch (Unavailable away) {
            if (isStale) {
                throw away;
            }
            return last;
        }
    }

    /** Fails fast after a failed refresh: otherwise a lane would wait for a timeout at every change. */
    private void requireNoRecentFailure() {
        Long failed = failedNanos;
        if (failed != null && System.nanoTime() - failed < RETRY_PAUSE.toNanos()) {
            throw new Unavailable("The active signing key cannot be read now; try again in a moment.");
        }
    }

    /** Reads the keys from the database. */
    private KeySnapshot refresh() {
        refreshes.incrementAndGet();
        try {
            KeySnapshot fresh = read();
            failedNanos = null;
            return fresh;
        } catch (Unavailable away) {
            failedNanos = System.nanoTime();
            throw away;
        } catch (UnusableKeys sealedByAnother) {
            failedNanos = System.nanoTime();
            throw sealed(sealedByAnother);
        } finally {
            refreshes.decrementAndGet();
        }
    }

    /** Logs once a minute that the master key file does not open the key. No restart is needed after it was replaced. */
    private Unavailable sealed(UnusableKeys why) {
        long now = System.nanoTime();
        Long last = loggedNanos;
        if (last == null || now - last > LOG_INTERVAL.toNanos()) {
            loggedNanos = now;
            LOG.error("The active signing key does not open, so nothing is signed with it: {}", why.getMessage());
        }
        return new Unavailable("The active signing key cannot be opened now; try again in a moment.", why);
    }

    private KeySnapshot read() {
        Instant now = clock.instant();
        // Not under the lock: on H2 this waits for the write lock, which may be held by a lane that refreshes too.
        activate(now);
        refreshing.lock();
        try {
            SealedKey active = keys.active(Purpose.EVENT).orElseThrow();
            Map<String, SigningKey> all = new HashMap<>();
            eventKeys().forEach(key -> all.put(key.kid(), key));
            TinkEventSigner signer = opened.computeIfAbsent(active.key().kid(), any -> safe.open(active));
            KeySnapshot fresh = new KeySnapshot(signer, active.key(), all, now);
            latest = fresh;
            return fresh;
        } finally {
            refreshing.unlock();
        }
    }

    /** Activates a pending key that is due. One node succeeds; the others find the key active. */
    private void activate(Instant now) {
        SigningKey next = null;
        SigningKey last = null;
        for (SigningKey key : eventKeys()) {
            if (key.status() == KeyStatus.PENDING && !now.isBefore(key.validFrom()) && next == null) {
                next = key;
            } else if (key.status() == KeyStatus.ACTIVE) {
                last = key;
            }
        }
        if (next != null && last != null) {
            keys.advance(List.of(new StateChange(last, last.retired(now)), new StateChange(next, next.activated())));
        }
    }

    private List<SigningKey> eventKeys() {
        return keys.all().stream().filter(key -> key.purpose() == Purpose.EVENT).toList();
    }
}
