package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A passkey of a user: a WebAuthn credential with which the user signs in and signs acceptances.
 *
 * @param credentialId base64url, as the authenticator made it
 * @param name the user's name for it
 * @param key its public key
 * @param rpId the relying party it was made for: the host of the console
 * @param transports how browsers reach the authenticator, in the words of WebAuthn
 * @param signCount the last signature counter; stays 0 with authenticators that do not count
 * @param createdAt when it was registered
 * @param lastUsedAt null while it was never used
 */
public record Passkey(
        String credentialId,
        String name,
        PasskeyKey key,
        String rpId,
        List<String> transports,
        long signCount,
        Instant createdAt,
        @Nullable Instant lastUsedAt) {

    /** The members of a stored passkey. */
    static final Schema<Passkey> STORED = Schema.of(
            row -> new Passkey(
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.nextOr(List.of()),
                    row.next(),
                    row.next(),
                    row.next()),
            required("credentialId", Codec.TEXT, Passkey::credentialId),
            required("name", Codec.TEXT, Passkey::name),
            required("publicKey", Codec.object(PasskeyKey::read, PasskeyKey::toJwk), Passkey::key),
            required("rpId", Codec.TEXT, Passkey::rpId),
            optional("transports", Codec.TEXTS, Passkey::transports),
            required("signCount", Codec.LONG, Passkey::signCount),
            required("createdAt", Codec.INSTANT, Passkey::createdAt),
            nullable("lastUsedAt", Codec.INSTANT, Passkey::lastUsedAt));

    public Passkey {
        transports = List.copyOf(transports);
    }

    /** The same passkey after it was used. */
    public Passkey used(long counter, Instant now) {
        return new Passkey(credentialId, name, key, rpId, transports, counter, createdAt, now);
    }
}
