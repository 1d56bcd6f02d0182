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

/** A user's chain of signed rows: makes the next row and verifies rows (docs/reference/events.md). */
public final class EventChain {

    private EventChain() {}

    /**
     * The row that follows the head.
     *
     * @param head the end of the chain, read under the lock of the account
     * @param draft the content of the row
     * @param eventId unique
     * @param salt 16 random bytes, base64url; keeps an erased payload from being guessed by its hash
     * @param now the current time; when it is before the head, the time of the head is used
     * @param signingKeyId thumbprint of the key that {@code sign} uses
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
     * Verifies a whole chain, or the rows after a saved point, with public data only.
     *
     * <p>Use {@link ChainVerifier} for chains that are too long to hold or have erased rows, and to check heads and
     * receipts.
     *
     * @param from where to begin
     * @param rows in ascending order, unfiltered, without gaps
     * @param keys the keys of a {@link TrustedManifest}
     */
    public static ChainVerdict verify(
            ChainPoint from, Iterable<PolicyEvent> rows, SigningKeys keys, SignatureCheck check) {
        ChainVerifier verifier = new ChainVerifier(keys, check);
        return verifier.rows(from, rows).then(verifier::end);
    }

    /**
     * Verifies a chain with keys from the store of the service.
     *
     * @param purpose {@code EVENT}, or {@code SANDBOX} for the demonstration chain
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
