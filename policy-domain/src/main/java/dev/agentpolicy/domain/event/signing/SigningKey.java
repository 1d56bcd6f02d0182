package dev.agentpolicy.domain.event.signing;

import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The public part of an Ed25519 key that signs, or once signed (docs/reference/events.md, Keys). Its id is the RFC 7638
 * thumbprint of its own bytes, so another key can never stand under a known id.
 *
 * @param kid thumbprint, 43 characters
 * @param x the 32 bytes of the public key, base64url
 * @param purpose the one thing it may sign
 * @param status where it is in its life; it only moves forward
 * @param validFrom when it begins to sign
 * @param validUntil when it stopped, null while it signs
 * @param revokedAt when it was revoked, null unless it is
 * @param revocationReason why it was revoked, null unless it is
 * @param compromisedSince from when on someone else may have had the private key; null when not compromised or not known
 * @param attestations signatures of other keys over this one
 */
public record SigningKey(
        String kid,
        String x,
        Purpose purpose,
        Status status,
        Instant validFrom,
        @Nullable Instant validUntil,
        @Nullable Instant revokedAt,
        @Nullable RevocationReason revocationReason,
        @Nullable Instant compromisedSince,
        List<Attestation> attestations) {

    public SigningKey {
        attestations = List.copyOf(attestations);
        if (!Base64Url.isText(x, Base64Url.KEY_BYTES) || !thumbprint(x).equals(kid)) {
            throw new IllegalArgumentException("The id of a signing key must be the thumbprint of its 32 bytes.");
        }
        boolean isRevoked = status == Status.REVOKED;
        if (isRevoked != (revokedAt != null) || isRevoked != (revocationReason != null)) {
            throw new IllegalArgumentException("A revoked signing key, and no other, says when and why.");
        }
    }

    /** A key that signs from now on. */
    public static SigningKey active(String x, Purpose purpose, Instant validFrom) {
        Instant from = Instants.truncated(validFrom);
        return new SigningKey(thumbprint(x), x, purpose, Status.ACTIVE, from, null, null, null, null, List.of());
    }

    /** A key that is published before it signs. */
    public static SigningKey pending(String x, Purpose purpose, Instant validFrom) {
        Instant from = Instants.truncated(validFrom);
        return new SigningKey(thumbprint(x), x, purpose, Status.PENDING, from, null, null, null, null, List.of());
    }

    /** This key, once it signs. */
    public SigningKey activated() {
        return in(Status.ACTIVE, validUntil, null, null, null);
    }

    /** This key, once it has stopped; what it signed stays valid. */
    public SigningKey retired(Instant now) {
        return in(Status.RETIRED, Instants.truncated(now), null, null, null);
    }

    /** This key, once it is known that someone else may have it. */
    public SigningKey compromised(Instant now, Instant since) {
        Instant at = Instants.truncated(now);
        Instant until = validUntil == null ? at : validUntil;
        return in(Status.REVOKED, until, at, RevocationReason.COMPROMISE, Instants.truncated(since));
    }

    private SigningKey in(
            Status next,
            @Nullable Instant until,
            @Nullable Instant revoked,
            @Nullable RevocationReason reason,
            @Nullable Instant since) {
        if (next.compareTo(status) <= 0) {
            throw new IllegalStateException("A signing key only moves forward in its life.");
        }
        return new SigningKey(kid, x, purpose, next, validFrom, until, revoked, reason, since, attestations);
    }

    /** RFC 7638 thumbprint of a public key given in base64url. */
    public static String thumbprint(String x) {
        return Base64Url.encode(Sha256.of("{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + x + "\"}"));
    }

    /** This key, vouched for by another: the key before it, or the root key kept offline. */
    public SigningKey attestedBy(String byKeyId, UnaryOperator<String> sign) {
        Attestation attestation = new Attestation(byKeyId, sign.apply(attestationMessage()));
        List<Attestation> all =
                Stream.concat(attestations.stream(), Stream.of(attestation)).toList();
        return new SigningKey(
                kid, x, purpose, status, validFrom, validUntil, revokedAt, revocationReason, compromisedSince, all);
    }

    /** What another key signs to vouch for this one. */
    public String attestationMessage() {
        return "agent-policy/key/v1\n"
                + CanonicalForm.write(Map.of(
                        "kid", kid, "x", x, "purpose", purpose.wireName(), "validFrom", Instants.format(validFrom)));
    }

    /** Whether someone else may have signed with it. */
    public boolean isCompromised() {
        return revocationReason == RevocationReason.COMPROMISE;
    }

    /**
     * The signature of another key over this one.
     *
     * @param byKeyId thumbprint of the other key
     * @param signature base64url, 86 characters
     */
    public record Attestation(String byKeyId, String signature) {}

    /** The one thing a key may sign. */
    public enum Purpose {
        /** Rows and heads of the users' chains. */
        EVENT("event"),
        /** Notes about all heads, and the manifest. */
        ANCHOR("anchor"),
        /** Rows and heads of the demonstration chain, which must never pass for real. */
        SANDBOX("sandbox"),
        /** Other keys; kept offline. */
        ROOT("root");

        private final String wireName;

        Purpose(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }

        public static Optional<Purpose> named(String wireName) {
            return Stream.of(values()).filter(p -> p.wireName.equals(wireName)).findFirst();
        }
    }

    /** Where a key is in its life, in order. */
    public enum Status {
        PENDING("pending"),
        ACTIVE("active"),
        RETIRED("retired"),
        REVOKED("revoked");

        private final String wireName;

        Status(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /** Why a key was revoked. */
    public enum RevocationReason {
        /** Someone else may have the private key. */
        COMPROMISE("compromise"),
        /** Another key took its place out of turn. */
        SUPERSEDED("superseded");

        private final String wireName;

        RevocationReason(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }
}
