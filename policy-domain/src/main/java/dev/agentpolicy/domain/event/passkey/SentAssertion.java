package dev.agentpolicy.domain.event.passkey;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An assertion as a browser sends it (Web Authentication, Level 3, AuthenticationResponseJSON).
 *
 * @param assertion what was signed
 * @param userHandle whose passkey it is, in base64url; null when the authenticator does not say
 */
public record SentAssertion(
        PasskeyAssertion assertion, @Nullable String userHandle) {
    private static final int MAX_TEXT = 8_192;

    /** Reads the members of a credential. Members that browsers add are ignored, as the standard demands. */
    public static @Nullable SentAssertion read(Fields credential) {
        String id = PasskeyRegistration.id(credential);
        SentAssertion read = credential.object("response", response -> response(response, id));
        credential.require("response");
        credential.ignoreUnknown();
        return read;
    }

    private static @Nullable SentAssertion response(Fields response, @Nullable String id) {
        String authenticator = PasskeyRegistration.bytes(response, "authenticatorData", MAX_TEXT);
        String client = PasskeyRegistration.bytes(response, "clientDataJSON", MAX_TEXT);
        String signature = PasskeyRegistration.bytes(response, "signature", MAX_TEXT);
        String handle = PasskeyRegistration.bytes(response, "userHandle", MAX_TEXT);
        response.require("authenticatorData", "clientDataJSON", "signature");
        response.ignoreUnknown();
        return id == null || authenticator == null || client == null || signature == null
                ? null
                : new SentAssertion(new PasskeyAssertion(id, authenticator, client, signature), handle);
    }

    /** The handle of a user: the text of the id, in base64url. It says nothing about the person. */
    public static String handle(UserId user) {
        return Base64Url.encode(user.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** The user whose handle the authenticator gave; empty when there is none, or it is not one of this service. */
    public Optional<UserId> user() {
        byte[] bytes = userHandle == null ? null : Base64Url.decode(userHandle);
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            UserId user = new UserId(UUID.fromString(new String(bytes, StandardCharsets.US_ASCII)));
            return handle(user).equals(userHandle) ? Optional.of(user) : Optional.empty();
        } catch (IllegalArgumentException noUuid) {
            return Optional.empty();
        }
    }
}
