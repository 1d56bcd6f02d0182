package dev.agentpolicy.domain.event.passkey;

import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a browser sends of a new passkey (Web Authentication, Level 3, RegistrationResponseJSON). All texts are base64url.
 *
 * @param credentialId names the passkey
 * @param attestationObject the new key, with whatever the authenticator says about itself
 * @param clientDataJson what the browser says: challenge and origin
 * @param transports how browsers reach the authenticator
 */
public record PasskeyRegistration(
        String credentialId, String attestationObject, String clientDataJson, List<String> transports) {
    /** Characters of an id of 1023 bytes. */
    private static final int MAX_ID = 1_364;

    private static final int MAX_TEXT = 32_768;
    private static final int MAX_TRANSPORTS = 8;
    private static final Pattern TRANSPORT = Pattern.compile("[a-z-]{1,32}");

    public PasskeyRegistration {
        transports = List.copyOf(transports);
    }

    /** Reads the members of a credential. Members that browsers add are ignored, as the standard demands. */
    public static @Nullable PasskeyRegistration read(Fields credential) {
        String id = id(credential);
        PasskeyRegistration read = credential.object("response", response -> response(response, id));
        credential.require("response");
        credential.ignoreUnknown();
        return read;
    }

    /** What names a credential, which is said twice. */
    static @Nullable String id(Fields credential) {
        String id = bytes(credential, "id", MAX_ID);
        credential.meaning("rawId", "must be the id", text -> id == null || text.equals(id) ? text : null);
        credential.meaning("type", "must be public-key", text -> text.equals("public-key") ? text : null);
        credential.require("id", "rawId", "type");
        return id;
    }

    private static @Nullable PasskeyRegistration response(Fields response, @Nullable String id) {
        String object = bytes(response, "attestationObject", MAX_TEXT);
        String client = bytes(response, "clientDataJSON", MAX_TEXT);
        List<String> transports = response.texts(
                "transports",
                MAX_TRANSPORTS,
                "must be the name of a transport",
                text -> TRANSPORT.matcher(text).matches() ? text : null);
        response.require("attestationObject", "clientDataJSON");
        response.ignoreUnknown();
        return id == null || object == null || client == null
                ? null
                : new PasskeyRegistration(id, object, client, transports);
    }

    static @Nullable String bytes(Fields fields, String name, int maxLength) {
        return fields.meaning(
                name,
                "must be base64url without padding, of at most " + maxLength + " characters",
                text -> text.length() <= maxLength && Base64Url.decode(text) != null ? text : null);
    }

    /** The challenge that the browser was given, in base64url; empty when the client data has none. */
    public Optional<String> challenge() {
        return PasskeyAssertion.challenge(clientDataJson);
    }
}
