package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import dev.agentpolicy.domain.event.signing.TrustedManifest;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One user's chain of signed rows: makes the next link and verifies the links there are (docs/reference/events.md). */
public final class EventChain {

    private EventChain() {}

    /**
     * The row that follows the head.
     *
     * @param head where the chain ends now, read under the lock of the account
     * @param draft what the row says
     * @param eventId unique
     * @param salt 16 random bytes, base64url; keeps an erased payload from being guessed by its hash
     * @param now time of the clock; a clock behind the chain is overruled by the head's own time
     * @param signingKeyId thumbprint of the key behind {@code sign}
     * @param sign Ed25519 over a message, base64url
     * @throws IllegalArgumentException when the draft lies outside of the profile of {@link CanonicalForm}
     */
    public static PolicyEvent next(
            ChainHead head,
            EventDraft draft,
            UUID eventId,
            String salt,
            Instant now,
            String signingKeyId,
            UnaryOperator<String> sign) {
        String payload = salted(draft, salt);
        String payloadHash = Sha256.hex(Messages.payload(payload));
        Instant clock = Instants.truncated(now);
        Instant createdAt = clock.isBefore(head.createdAt()) ? head.createdAt() : clock;
        long seq = head.seq() + 1;
        String hash = Sha256.hex(Messages.header(
                head.userId(), seq, eventId, draft.kind(), createdAt, payloadHash, head.hash(), signingKeyId));
        return new PolicyEvent(
                head.userId(),
                seq,
                eventId,
                draft.kind(),
                createdAt,
                payload,
                payloadHash,
                head.hash(),
                signingKeyId,
                hash,
                sign.apply(Messages.eventSignature(hash)));
    }

    /**
     * Verifies a whole chain, or what came after a saved point, with public data only.
     *
     * <p>For chains too long to hold or with erased rows, and to check a head or receipts, use {@link ChainVerifier}
     * page by page.
     *
     * @param from where to begin: fresh, pinned to a first key, or saved
     * @param rows in ascending order, unfiltered, without a gap
     * @param keys those of a {@link TrustedManifest}
     */
    public static ChainVerdict verify(
            ChainPoint from, Iterable<PolicyEvent> rows, SigningKeys keys, SignatureCheck check) {
        ChainVerifier verifier = new ChainVerifier(keys, check);
        return verifier.rows(from, rows).then(verifier::end);
    }

    /**
     * The same for the service itself, whose keys come from its own store.
     *
     * @param purpose what keys may sign this chain: {@code EVENT}, or {@code SANDBOX} for the demonstration chain
     */
    public static ChainVerdict verify(
            ChainPoint from,
            Iterable<PolicyEvent> rows,
            Collection<SigningKey> keys,
            SigningKey.Purpose purpose,
            SignatureCheck check) {
        return verify(from, rows, SigningKeys.of(keys, purpose), check);
    }

    private static String salted(EventDraft draft, String salt) {
        if (!Base64Url.isText(salt, Base64Url.SALT_BYTES)) {
            throw new IllegalArgumentException("A salt must be 16 bytes in base64url.");
        }
        Map<String, @Nullable Object> members = new HashMap<>(draft.payload());
        if (members.put("salt", salt) != null) {
            throw new IllegalArgumentException("A draft must not bring a salt of its own.");
        }
        return CanonicalForm.write(members);
    }
}
