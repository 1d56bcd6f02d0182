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

    /** Whether it concerns the safety of the account, and is sent before those that do not. */
    default boolean isSecurity() {
        return true;
    }

    /** Whether it may go to an address that is not confirmed: a link in a text that no user has a part in. */
    default boolean isLink() {
        return false;
    }

    /** Passes the notice to the method of its kind. */
    <R> R fold(Cases<R> cases);

    /** One method for each kind of notice. */
    interface Cases<R> {
        R requestWaits(RequestWaits notice);

        R keyMinted(KeyMinted notice);

        R keyRevoked(KeyRevoked notice);

        R passkeyAdded(PasskeyAdded notice);

        R passkeyRemoved(PasskeyRemoved notice);

        R newSignIn(NewSignIn notice);

        R passwordChanged(PasswordChanged notice);

        R passwordReset(PasswordReset notice);

        R emailConfirmation(EmailConfirmation notice);

        R emailChanged(EmailChanged notice);
    }

    /** A request waits for the user. */
    record RequestWaits(Proposal proposal) implements Notice {
        @Override
        public boolean isSecurity() {
            return false;
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.requestWaits(this);
        }
    }

    /** A key was minted. */
    record KeyMinted(String name, Instant at) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.keyMinted(this);
        }
    }

    /** A key was revoked. */
    record KeyRevoked(String name, Instant at) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.keyRevoked(this);
        }
    }

    /** A passkey was registered. */
    record PasskeyAdded(String name, Instant at) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.passkeyAdded(this);
        }
    }

    /** A passkey was removed. */
    record PasskeyRemoved(String name, Instant at) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.passkeyRemoved(this);
        }
    }

    /**
     * Somebody signed in on a browser that was not known.
     *
     * @param agent what the browser calls itself; null when it does not say
     */
    record NewSignIn(String address, @Nullable String agent, Instant at) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.newSignIn(this);
        }
    }

    /** The password was changed. */
    record PasswordChanged(Instant at) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.passwordChanged(this);
        }
    }

    /** The user forgot the password. */
    record PasswordReset(String address, String token) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.passwordReset(this);
        }

        @Override
        public Optional<String> recipient() {
            return Optional.of(address);
        }

        @Override
        public boolean isLink() {
            return true;
        }

        @Override
        public String toString() {
            return "PasswordReset[]";
        }
    }

    /** The user signed up with an address, or gave a new one. */
    record EmailConfirmation(String newAddress, String token) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.emailConfirmation(this);
        }

        @Override
        public Optional<String> recipient() {
            return Optional.of(newAddress);
        }

        @Override
        public boolean isLink() {
            return true;
        }

        @Override
        public String toString() {
            return "EmailConfirmation[]";
        }
    }

    /** The address of the account was changed; told to the former one. */
    record EmailChanged(String formerAddress, Instant at) implements Notice {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.emailChanged(this);
        }

        @Override
        public Optional<String> recipient() {
            return Optional.of(formerAddress);
        }
    }
}
