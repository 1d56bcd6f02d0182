package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Sessions.SessionOrigin;
import dev.agentpolicy.domain.request.Proposal;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Tells users by mail what they should know while they are not looking (docs/reference/sign-in.md, Mails). Methods neither
 * block nor fail: what cannot be sent is dropped.
 */
public interface Notices extends Executor {
    /** No mail is set up. */
    Notices NONE = new Notices() {
        @Override
        public boolean isSetUp() {
            return false;
        }

        @Override
        public void send(UserId user, Notice notice) {}

        @Override
        public void execute(Runnable work) {}
    };

    /** Whether mails are sent at all. */
    boolean isSetUp();

    /** Tells a user something, soon. */
    void send(UserId user, Notice notice);

    /** Runs work that nobody waits for, such as what precedes a mail; drops it when too much waits already. */
    @Override
    void execute(Runnable work);

    /** What a user is told. */
    sealed interface Notice
            permits RequestWaits, KeyMinted, KeyRevoked, NewSignIn, PasswordChanged, PasswordReset, EmailConfirmation {
        /** The address it goes to, if that is not the user's. */
        default Optional<String> address() {
            return Optional.empty();
        }
    }

    /** A request waits for the user. */
    record RequestWaits(Proposal proposal) implements Notice {}

    /** A key was minted. */
    record KeyMinted(String name, Instant at) implements Notice {}

    /** A key was revoked. */
    record KeyRevoked(String name, Instant at) implements Notice {}

    /** Somebody signed in on a browser that was not known. */
    record NewSignIn(SessionOrigin origin, Instant at) implements Notice {}

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
        public Optional<String> address() {
            return Optional.of(newAddress);
        }

        @Override
        public String toString() {
            return "EmailConfirmation[]";
        }
    }
}
