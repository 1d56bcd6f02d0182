package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.derived;
import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a user signs with a passkey to confirm a change of the policy (docs/reference/passkeys.md).
 *
 * @param userId the user
 * @param previousIpsVersion the version in force that the change is of; null for the first policy
 * @param documentHash of the statement that is to come into force, see {@link #documentHash}
 * @param expiresAt until when it may be used
 * @param nonce random bytes, base64url
 */
public record AttestedChange(
        UserId userId, @Nullable Integer previousIpsVersion, String documentHash, Instant expiresAt, String nonce) {
    /** What is changed; there is one kind. */
    private static final String KIND = "ips";

    /** The members that are hashed and that the event has. */
    public static final Schema<AttestedChange> SCHEMA = Schema.of(
            row -> new AttestedChange(row.next(), row.next(), row.next(), row.next(), row.next()),
            required("userId", Codec.ID.as(UserId::new, UserId::value), AttestedChange::userId),
            nullable("previousIpsVersion", Codec.INTEGER, AttestedChange::previousIpsVersion),
            required("documentHash", WireFields.HASH, AttestedChange::documentHash),
            required("expiresAt", Codec.INSTANT, AttestedChange::expiresAt),
            required("nonce", Codec.TEXT, AttestedChange::nonce),
            derived("kind", Codec.TEXT, change -> KIND));

    private static final String PREFIX = "agent-policy/change/v1\n";

    /** The challenge: SHA-256 of the canonical text, in base64url. */
    public String challenge() {
        return challenge(CanonicalForm.write(SCHEMA.write(this)));
    }

    /** The challenge of the canonical text of what is signed. */
    public static String challenge(String canonical) {
        return Base64Url.encode(Sha256.of(PREFIX + canonical));
    }

    /** The hash of a statement without what other changes may alter before it comes into force. */
    public static String documentHash(Ips statement) {
        return documentHash(IpsDocument.toSigned(statement));
    }

    /** The same of the document of an event. */
    public static String documentHash(Document document) {
        return documentHash(document.members());
    }

    private static String documentHash(Map<String, @Nullable Object> document) {
        Map<String, @Nullable Object> signed = new LinkedHashMap<>(document);
        signed.remove("approvals");
        signed.remove("paused");
        signed.remove("drawdownSince");
        return Sha256.hex(CanonicalForm.write(signed));
    }

    /**
     * A change that the user signed with a passkey.
     *
     * @param attested what was signed
     * @param assertion the signature over its challenge
     */
    public record SignedChange(AttestedChange attested, PasskeyAssertion assertion) {
        /** The member {@code confirmation} of an event. */
        public static final Schema<SignedChange> SCHEMA = Schema.of(
                row -> new SignedChange(row.next(), row.next()),
                required("attested", Codec.object(AttestedChange.SCHEMA), SignedChange::attested),
                required("passkey", Codec.object(PasskeyAssertion.SCHEMA), SignedChange::assertion));
    }
}
