package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.request.Proposal;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a user is told by mail and on devices (docs/reference/notices.md). */
public sealed interface Notice {
    /** The address it goes to, if that is not the user's. */
    default Optional<String> recipient() {
        return Optional.empty();
    }

    /** Whether it concerns the safety of the account, and is sent before those that do not. */
    default boolean isSecurity() {
        return !(this instanceof RequestWaits);
    }

    /** Whether it may go to an address that is not confirmed: a link in a text that no user has a part in. */
    default boolean isLink() {
        return this instanceof PasswordReset || this instanceof EmailConfirmation;
    }

    /**
     * Requests wait for the user.
     *
     * @param proposal the request, or of several the one that expires first
     * @param count how many they are
     */
    record RequestWaits(Proposal proposal, int count) implements Notice {
        /** One notice of the requests of both. */
        public RequestWaits and(RequestWaits other) {
            boolean isFirst = !proposal.expiresAt().isAfter(other.proposal.expiresAt());
            return new RequestWaits(isFirst ? proposal : other.proposal, count + other.count);
        }
    }

    /** A key was minted. */
    record KeyMinted(String name, Instant at) implements Notice {}

    /** A key was revoked. */
    record KeyRevoked(String name, Instant at) implements Notice {}

    /** An old token of a connection was used again, so it may be stolen, and the connection was ended. */
    record TokenReused(String name, String host, Instant at) implements Notice {}

    /** A passkey was registered. */
    record PasskeyAdded(String name, Instant at) implements Notice {}

    /** A passkey was removed. */
    record PasskeyRemoved(String name, Instant at) implements Notice {}

    /** Somebody was let look at the account. */
    record ViewerAdded(String name, Instant at) implements Notice {}

    /** A device gets push notifications from now on. */
    record DeviceAdded(String name, Instant at) implements Notice {}

    /** A device gets no push notifications any more: its user removed it, added more than there may be, or somebody else uses it. */
    record DeviceRemoved(String name, Instant at) implements Notice {}

    /** A looser policy was put and waits. */
    record PolicyScheduled(Instant effectiveAt, Instant at) implements Notice {}

    /** A policy that waited was dropped, because it was invalid when its time came. */
    record PolicyDropped(Instant at) implements Notice {}

    /**
     * Somebody signed in on a browser that was not known.
     *
     * @param agent what the browser calls itself; null when it does not say
     */
    record NewSignIn(String address, @Nullable String agent, Instant at) implements Notice {}

    /** The password was changed. */
    record PasswordChanged(Instant at) implements Notice {}

    /** The user forgot the password. */
    record PasswordReset(String address, String token) implements Notice {
        @Override
        public Optional<String> recipient() {
            return Optional.of(address);
        }

        @Override
        public String toString() {
            return "PasswordReset[]";
        }
    }

    /** The user signed up with an address, or gave a new one. */
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

    /** The address of the account was changed; told to the former one. */
    record EmailChanged(String formerAddress, Instant at) implements Notice {
        @Override
        public Optional<String> recipient() {
            return Optional.of(formerAddress);
        }
    }
}
