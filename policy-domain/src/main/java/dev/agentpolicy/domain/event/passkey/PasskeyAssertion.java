package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an authenticator signed with a passkey (Web Authentication, Level 3, section 7.2). All parts are base64url.
 *
 * @param credentialId names the passkey
 * @param authenticatorData what the authenticator says: relying party, flags and counter
 * @param clientDataJson what the browser says: challenge and origin
 * @param signature over both
 */
public record PasskeyAssertion(String credentialId, String authenticatorData, String clientDataJson, String signature) {
    private static final int HASH_BYTES = 32;
    private static final int FLAGS = HASH_BYTES;
    private static final int MIN_AUTHENTICATOR_DATA = HASH_BYTES + 1 + Integer.BYTES;
    private static final int USER_PRESENT = 0x01;
    private static final int USER_VERIFIED = 0x04;

    private static final Pattern ORIGIN =
            Pattern.compile("(?:https://([a-z0-9.-]{1,253})|http://(localhost))(?::[0-9]{1,5})?");

    /** The members that an event has. */
    public static final Schema<PasskeyAssertion> SCHEMA = Schema.of(
            row -> new PasskeyAssertion(row.next(), row.next(), row.next(), row.next()),
            required("credentialId", Codec.TEXT, PasskeyAssertion::credentialId),
            required("authenticatorData", Codec.TEXT, PasskeyAssertion::authenticatorData),
            required("clientDataJSON", Codec.TEXT, PasskeyAssertion::clientDataJson),
            required("signature", Codec.TEXT, PasskeyAssertion::signature));

    /** The challenge that the browser was given, in base64url; empty when the client data has none. */
    public Optional<String> challenge() {
        return challenge(clientDataJson);
    }

    static Optional<String> challenge(String clientDataJson) {
        Document client = clientData(Base64Url.decode(clientDataJson));
        return client != null && client.get("challenge") instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /**
     * Why this is no signature of a verified user, or null if it is one. Uses nothing but its arguments, so it decides
     * alike in the service and for those who verify a chain. It does not look at the counter.
     *
     * @param key of the passkey that the assertion names
     * @param rpId the relying party that the passkey was made for
     * @param expected the challenge, in base64url
     */
    public @Nullable String wrong(PasskeyKey key, String rpId, String expected) {
        byte[] authenticator = Base64Url.decode(authenticatorData);
        byte[] client = Base64Url.decode(clientDataJson);
        byte[] signed = Base64Url.decode(signature);
        Document said = clientData(client);
        if (authenticator == null
                || authenticator.length < MIN_AUTHENTICATOR_DATA
                || client == null
                || signed == null
                || said == null) {
            return "it cannot be read";
        }
        if (!"webauthn.get".equals(said.get("type"))) {
            return "it is no assertion";
        }
        if (!expected.equals(said.get("challenge"))) {
            return "it is for another challenge";
        }
        if (Boolean.TRUE.equals(said.get("crossOrigin")) || !isOf(rpId, said.get("origin"))) {
            return "it was made at another origin";
        }
        if (!Arrays.equals(Sha256.of(rpId), Arrays.copyOf(authenticator, HASH_BYTES))) {
            return "it was made for another relying party";
        }
        if ((authenticator[FLAGS] & USER_PRESENT) == 0 || (authenticator[FLAGS] & USER_VERIFIED) == 0) {
            return "the authenticator did not verify the user";
        }
        return key.isSignedBy(signed, authenticator, Sha256.of(client)) ? null : "its signature is wrong";
    }

    private static boolean isOf(String rpId, @Nullable Object origin) {
        Matcher parts = ORIGIN.matcher(origin instanceof String text ? text : "");
        return parts.matches() && rpId.equals(parts.group(1) == null ? parts.group(2) : parts.group(1));
    }

    private static @Nullable Document clientData(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        Document said = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)
                ? Document.parseExactly(text, 0).<@Nullable Document>fold(document -> document, problems -> null)
                : null;
        Object crossOrigin = said == null ? null : said.get("crossOrigin");
        return crossOrigin == null || crossOrigin instanceof Boolean ? said : null;
    }
}
