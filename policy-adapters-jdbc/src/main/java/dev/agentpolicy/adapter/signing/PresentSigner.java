package dev.agentpolicy.adapter.signing;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKey.Status;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SealedKeys.Sealed;
import dev.agentpolicy.domain.port.SealedKeys.StateChange;
import dev.agentpolicy.domain.port.SignerRollover;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs rows and heads with whichever event key is active, on every node the same within half a minute at most; makes a key that
 * waits active when its time has come.
 */
final class PresentSigner implements EventSigner {
    private static final Logger LOG = LoggerFactory.getLogger(PresentSigner.class);

    static final Duration REFRESHED_AFTER = Duration.ofSeconds(30);
    /** Without a look at the database for so long nothing is signed: the key may be gone elsewhere. */
    static final Duration LONGEST_BLIND = Duration.ofMinutes(2);
    /** After a look in vain. */
    private static final Duration PAUSE = Duration.ofSeconds(2);
    /** For the log of a key that does not open. */
    private static final Duration TOLD_EVERY = Duration.ofMinutes(1);

    private final SealedKeys keys;
    private final KeySafe safe;
    private final InstantSource clock;
    private final Map<String, TinkEventSigner> opened = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Known> known = new AtomicReference<>();
    private final ReentrantLock looking = new ReentrantLock();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicReference<@Nullable Long> failedNanos = new AtomicReference<>();
    private final AtomicReference<@Nullable Long> toldNanos = new AtomicReference<>();

    PresentSigner(SealedKeys keys, KeySafe safe, InstantSource clock) {
        this.keys = keys;
        this.safe = safe;
        this.clock = clock;
        look();
    }

    /** What the database last said. */
    private record Known(TinkEventSigner signer, SigningKey key, Map<String, SigningKey> all, Instant at) {}

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
        return lately().signer;
    }

    @Override
    public Optional<SignerRollover> from(String lastKeyId) {
        Known now = lately();
        SigningKey last = now.all.get(lastKeyId);
        if (last == null || last.status().compareTo(Status.RETIRED) < 0) {
            now = look();
            last = now.all.get(lastKeyId);
        }
        if (lastKeyId.equals(now.key.kid())) {
            return Optional.empty();
        }
        if (last == null || last.status().compareTo(Status.RETIRED) < 0) {
            throw new UnusableKeys(
                    "A chain was signed last by " + lastKeyId
                            + ", which is no key that has stopped; restore the table of" + " signing keys.",
                    null);
        }
        EventSigner oldSigner = last.isCompromised() ? null : old(lastKeyId);
        return Optional.of(new SignerRollover(lastKeyId, now.key, now.signer, oldSigner));
    }

    private TinkEventSigner old(String kid) {
        return opened.computeIfAbsent(
                kid,
                any -> safe.open(keys.find(any)
                        .orElseThrow(() -> new UnusableKeys(
                                "The private part of " + any + " is gone, but a chain still needs it.", null))));
    }

    private Known lately() {
        Known last = known.get();
        if (last == null) {
            return look();
        }
        Duration age = Duration.between(last.at, clock.instant());
        if (age.compareTo(REFRESHED_AFTER) < 0) {
            return last;
        }
        boolean isBlind = age.compareTo(LONGEST_BLIND) >= 0;
        try {
            requireNoFailureJustNow();
            return !isBlind && looks.get() > 0 ? last : look();
        } catch (Unavailable away) {
            if (isBlind) {
                throw away;
            }
            return last;
        }
    }

    /** Whoever asks again at once would wait as long in vain, which a lane would do with every change. */
    private void requireNoFailureJustNow() {
        Long failed = failedNanos.get();
        if (failed != null && System.nanoTime() - failed < PAUSE.toNanos()) {
            throw new Unavailable("The present signing key cannot be looked for now; try again in a moment.");
        }
    }

    /** Looks at the database. */
    private Known look() {
        looks.incrementAndGet();
        try {
            Known seen = seen();
            failedNanos.set(null);
            return seen;
        } catch (Unavailable away) {
            failedNanos.set(System.nanoTime());
            throw away;
        } catch (UnusableKeys sealedByAnother) {
            failedNanos.set(System.nanoTime());
            throw sealed(sealedByAnother);
        } finally {
            looks.decrementAndGet();
        }
    }

    /** A node without the new master key file says so once a minute until it has it, and needs no restart then. */
    private Unavailable sealed(UnusableKeys why) {
        long now = System.nanoTime();
        Long last = toldNanos.get();
        if (last == null || now - last > TOLD_EVERY.toNanos()) {
            toldNanos.set(now);
            LOG.error("The present signing key does not open, so nothing is signed with it: {}", why.getMessage());
        }
        return new Unavailable("The present signing key cannot be opened now; try again in a moment.", why);
    }

    private Known seen() {
        Instant now = clock.instant();
        // Not under the lock: on H2 it waits for its turn, which may be that of a lane that looks as well.
        activate(now);
        looking.lock();
        try {
            Sealed active = keys.active(Purpose.EVENT).orElseThrow();
            String kid = active.key().kid();
            Map<String, SigningKey> all = keys.all().stream()
                    .filter(key -> key.purpose() == Purpose.EVENT)
                    .collect(Collectors.toMap(SigningKey::kid, Function.identity()));
            Known seen = new Known(opened.computeIfAbsent(kid, any -> safe.open(active)), active.key(), all, now);
            known.set(seen);
            return seen;
        } finally {
            looking.unlock();
        }
    }

    /** Whichever node comes first does it; the others find it done. */
    private void activate(Instant now) {
        List<SigningKey> all = keys.all().stream()
                .filter(key -> key.purpose() == Purpose.EVENT)
                .toList();
        Optional<SigningKey> next = all.stream()
                .filter(key -> key.status() == Status.PENDING && !now.isBefore(key.validFrom()))
                .findFirst();
        Optional<SigningKey> last =
                all.stream().filter(key -> key.status() == Status.ACTIVE).findFirst();
        if (next.isPresent() && last.isPresent()) {
            keys.advance(List.of(
                    new StateChange(last.get(), last.get().retired(now)),
                    new StateChange(next.get(), next.get().activated())));
        }
    }
}
