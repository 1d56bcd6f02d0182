package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import org.jspecify.annotations.Nullable;

/**
 * The password or passkey assertion that confirms a sensitive call. The password is never printed.
 *
 * @param password as typed; null for none
 * @param passkey an assertion for a challenge of sign-in; null for none
 */
public record Confirmation(
        @Nullable String password, @Nullable SentAssertion passkey) {

    /** Reads the members {@code password} and {@code passkey}. */
    public static Confirmation read(Fields fields) {
        return new Confirmation(
                fields.text("password", 1, Login.MAX_PASSWORD), fields.object("passkey", SentAssertion::read));
    }

    @Override
    public String toString() {
        return "Confirmation[]";
    }
}
