package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.request.Proposal;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a user is told by mail (docs/reference/sign-in.md, Mails). */
public sealed interface Notice {
    /** The address it goes to, if that is not the user's. */
    default Optional<String> recipient() {
        return Optional.empty();
    }

    /** A request waits for the user. */
    record RequestWaits(Proposal proposal) implements Notice {}

    /** A key was minted. */
    record KeyMinted(String name, Instant at) implements Notice {}

    /** A key was revoked. */
    record KeyRevoked(String name, Instant at) implements Notice {}

    /**
     * Somebody signed in on a browser that was not known.
     *
     * @param agent what the browser calls itself; null when it does not say
     */
    record NewSignIn(String address, @Nullable String agent, Instant at) implements Notice {}

    /** The password was changed. */
    record PasswordChanged(Instant at) implements Notice {}

    /** The user forgot the password. */
    record PasswordReset(String token) implements Notice {
        @Override
        public String toString() {
            return "PasswordReset[]";
        }
    }

    /** The user gave a new address. */
    record EmailConfirmation(String newAddress, String token) implements Notice {
        @Override
        public Optional<String> recipient() {
            return Optional.of(newAddress);
        }

        @Override
        public String toString() {
            return "EmailConfirmation[]";
        }
    }
}
