package dev.agentpolicy.domain.event.signing;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyAttestation;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKey.RevocationReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The public part of an Ed25519 key that signs now or signed before (docs/reference/events.md, Keys). Its id is the RFC
 * 7638 thumbprint of its bytes, so no other key can have the same id.
 *
 * @param kid thumbprint, 43 characters
 * @param x the 32 bytes of the public key, base64url
 * @param purpose what it may sign
 * @param status its state; it only moves forward
 * @param validFrom from when on it signs
 * @param validUntil when it stopped, null while it signs
 * @param revokedAt when it was revoked, null unless it is
 * @param revocationReason why it was revoked, null unless it is
 * @param compromisedSince since when someone else may have had the private key; null when unknown or not compromised
 * @param attestations signatures of other keys over this one
 */
public record SigningKey(
        String kid,
        String x,
        Purpose purpose,
        KeyStatus status,
        Instant validFrom,
        @Nullable Instant validUntil,
        @Nullable Instant revokedAt,
        @Nullable RevocationReason revocationReason,
        @Nullable Instant compromisedSince,
        List<KeyAttestation> attestations) {

    public SigningKey {
        attestations = List.copyOf(attestations);
        if (!Base64Url.isText(x, Base64Url.KEY_BYTES) || !thumbprint(x).equals(kid)) {
            throw new IllegalArgumentException("The id of a signing key must be the thumbprint of its 32 bytes.");
        }
        boolean isRevoked = status == KeyStatus.REVOKED;
        if (isRevoked != (revokedAt != null) || isRevoked != (revocationReason != null)) {
            throw new IllegalArgumentException("A revoked signing key, and no other, says when and why.");
        }
    }

    private static final Codec<List<String>> ONLY_VERIFY = new Codec<>(
            (fields, name) -> fields.texts(name, 1, "must be verify", text -> text.equals("verify") ? text : null),
            operations -> operations);

    /** A JSON Web Key (RFC 8037) with its state and attestations. */
    private static final Schema<SigningKey> MEMBERS = Schema.of(
            SigningKey::of,
            required("kty", WireFields.only("OKP"), key -> "OKP"),
            required("crv", WireFields.only("Ed25519"), key -> "Ed25519"),
            required("x", WireFields.KEY_ID, SigningKey::x),
            required("kid", WireFields.KEY_ID, SigningKey::kid),
            optional("use", WireFields.only("sig"), key -> "sig"),
            optional("alg", WireFields.only("Ed25519"), key -> "Ed25519"),
            optional("key_ops", ONLY_VERIFY, key -> List.of("verify")),
            required("purpose", Codec.word(Purpose.class), SigningKey::purpose),
            required("status", Codec.word(KeyStatus.class), SigningKey::status),
            required("validFrom", WireFields.INSTANT, SigningKey::validFrom),
            nullable("validUntil", WireFields.INSTANT, SigningKey::validUntil),
            nullable("revokedAt", WireFields.INSTANT, SigningKey::revokedAt),
            nullable("revocationReason", Codec.word(RevocationReason.class), SigningKey::revocationReason),
            nullable("compromisedSince", WireFields.INSTANT, SigningKey::compromisedSince),
            optional(
                    "attestations",
                    Codec.list(KeyAttestation.members("byKeyId", "signature")),
                    SigningKey::attestations));

    private static SigningKey of(Schema.Row row) {
        row.next();
        row.next();
        String x = row.next();
        String kid = row.next();
        row.next();
        row.next();
        row.next();
        return new SigningKey(
                kid,
                x,
                row.next(),
                row.next(),
                row.next(),
                row.next(),
                row.next(),
                row.next(),
                row.next(),
                row.nextOr(List.of()));
    }

    Map<String, @Nullable Object> tree() {
        return MEMBERS.write(this);
    }

    /** Reads a key of a manifest. A key whose id is not its thumbprint is a problem. */
    static @Nullable SigningKey read(Fields fields) {
        try {
            return MEMBERS.read(fields);
        } catch (IllegalArgumentException refused) {
            if (fields.isRight()) {
                fields.problem("kid", "is not that of a sound key: " + WireFields.clause(refused));
            }
            return null;
        }
    }

    /** A new key that signs at once. */
    public static SigningKey active(String x, Purpose purpose, Instant validFrom) {
        Instant from = Instants.truncated(validFrom);
        return new SigningKey(thumbprint(x), x, purpose, KeyStatus.ACTIVE, from, null, null, null, null, List.of());
    }

    /** A new key that is published before it signs. */
    public static SigningKey pending(String x, Purpose purpose, Instant validFrom) {
        Instant from = Instants.truncated(validFrom);
        return new SigningKey(thumbprint(x), x, purpose, KeyStatus.PENDING, from, null, null, null, null, List.of());
    }

    /** This key, now signing. */
    public SigningKey activated() {
        return in(KeyStatus.ACTIVE, validUntil, null, null, null);
    }

    /** This key, no longer signing. Its signatures stay valid. */
    public SigningKey retired(Instant now) {
        return in(KeyStatus.RETIRED, Instants.truncated(now), null, null, null);
    }

    /** This key, revoked because someone else may have it. */
    public SigningKey compromised(Instant now, Instant since) {
        Instant at = Instants.truncated(now);
        Instant until = validUntil == null ? at : validUntil;
        return in(KeyStatus.REVOKED, until, at, RevocationReason.COMPROMISE, Instants.truncated(since));
    }

    private SigningKey in(
            KeyStatus next,
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

    /** This key, attested by another: the key before it, or the offline root key. */
    public SigningKey attestedBy(String byKeyId, UnaryOperator<String> sign) {
        KeyAttestation attestation = new KeyAttestation(byKeyId, sign.apply(attestationMessage()));
        List<KeyAttestation> all =
                Stream.concat(attestations.stream(), Stream.of(attestation)).toList();
        return new SigningKey(
                kid, x, purpose, status, validFrom, validUntil, revokedAt, revocationReason, compromisedSince, all);
    }

    /** The message that another key signs to attest this one. */
    public String attestationMessage() {
        return "agent-policy/key/v1\n"
                + CanonicalForm.write(Map.of(
                        "kid", kid, "x", x, "purpose", purpose.wireName(), "validFrom", Instants.format(validFrom)));
    }

    /** Whether it is revoked as compromised. */
    public boolean isCompromised() {
        return revocationReason == RevocationReason.COMPROMISE;
    }

    /**
     * The signature of another key over this one.
     *
     * @param byKeyId thumbprint of the other key
     * @param signature base64url, 86 characters
     */
    public record KeyAttestation(String byKeyId, String signature) {

        static Schema<KeyAttestation> members(String keyId, String value) {
            return Schema.of(
                    row -> new KeyAttestation(row.next(), row.next()),
                    required(keyId, WireFields.KEY_ID, KeyAttestation::byKeyId),
                    required(value, WireFields.SIGNATURE, KeyAttestation::signature));
        }
    }

    /** What a key may sign. */
    public enum Purpose implements Word {
        /** Rows and heads of the users' chains. */
        EVENT,
        /** Anchor notes and the manifest. */
        ANCHOR,
        /** Rows and heads of the demonstration chain. */
        SANDBOX,
        /** Other keys; kept offline. */
        ROOT,
        /** Checkpoints of the transparency log. */
        LOG;

        public static Optional<Purpose> named(String wireName) {
            return Word.named(Purpose.class, wireName);
        }
    }

    /** The states of a key, in order. */
    public enum KeyStatus implements Word {
        PENDING,
        ACTIVE,
        RETIRED,
        REVOKED
    }

    /** Why a key was revoked. */
    public enum RevocationReason implements Word {
        /** Someone else may have the private key. */
        COMPROMISE,
        /** Another key replaced it ahead of schedule. */
        SUPERSEDED
    }
}
