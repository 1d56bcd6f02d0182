package dev.agentpolicy.app.security;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.SealedKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The published manifest of signing keys. It is cached for a few seconds, because anyone may request it. */
public final class PublishedKeys implements Supplier<SigningKeyManifest> {
    private static final Duration FRESH = Duration.ofSeconds(10);

    private final String issuer;
    private final SealedKeys keys;
    private final EventSigner anchor;
    private final InstantSource clock;
    private @Nullable Published last;

    public PublishedKeys(String issuer, SealedKeys keys, EventSigner anchor, InstantSource clock) {
        this.issuer = issuer;
        this.keys = keys;
        this.anchor = anchor;
        this.clock = clock;
    }

    private record Published(SigningKeyManifest manifest, Instant until) {}

    /** The keys as they are; while the database is away, as they last were. */
    @Override
    public synchronized SigningKeyManifest get() {
        Instant now = clock.instant();
        Published published = last;
        if (published == null || !now.isBefore(published.until())) {
            published = new Published(published == null ? read() : readOr(published.manifest()), now.plus(FRESH));
            last = published;
        }
        return published.manifest();
    }

    private SigningKeyManifest readOr(SigningKeyManifest before) {
        try {
            return read();
        } catch (Unavailable away) {
            return before;
        }
    }

    private SigningKeyManifest read() {
        return SigningKeyManifest.of(issuer, keys.all()).signed(anchor.keyId(), anchor::sign);
    }
}
