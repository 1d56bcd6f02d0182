package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.agent.UserId;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores the devices that get push notifications (RFC 8030), and when their users are told of requests. Deleting a user or
 * changing the password removes the devices.
 */
public interface PushDevices {
    /** The most devices of a user; a further one removes the oldest. */
    int MAX = 10;

    /**
     * A browser that has subscribed to a push service.
     *
     * @param id by which its user names it
     * @param name the user's name for it
     * @param endpoint where messages for it are posted; whoever knows it can post there
     * @param publicKey the key that messages are encrypted for: an uncompressed point of P-256, base64url
     * @param secret what only the browser and this service know, 16 bytes, base64url
     */
    record PushDevice(
            UUID id, UserId user, String name, URI endpoint, String publicKey, String secret, Instant createdAt) {
        @Override
        public String toString() {
            return "PushDevice[" + id + "]";
        }
    }

    /**
     * Stores a device, in place of those with its endpoint, of whichever user.
     *
     * @return the devices that are gone: those of other users with its endpoint, and the oldest of its user beyond {@link #MAX}
     */
    List<PushDevice> add(PushDevice device);

    /** The devices of a user, newest first. */
    List<PushDevice> of(UserId user);

    /** Removes a device and returns it; empty when the user has none with this id. */
    Optional<PushDevice> remove(UserId user, UUID id);

    /** Users who are to be told of requests by now, those that wait longest first. */
    List<UserId> due(Instant now, int limit);

    /**
     * Decides whether a user is told of requests now. Of callers at the same time, on any node, one gets true; then the user
     * counts as told. If it is too early, the user becomes due later.
     *
     * @param isNew whether there is something new to tell; else the answer is false for a user who is not due
     * @param next when the user may be told, by the time at which the user was last told, or null
     */
    boolean claim(UserId user, Instant now, boolean isNew, UnaryOperator<@Nullable Instant> next);
}
