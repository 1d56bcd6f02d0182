package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.passkey.AttestedChange;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores the challenges that passkeys may sign, each of which can be used once, on any node. */
public interface PasskeyChallenges {

    /** What a challenge is for. */
    enum Purpose {
        /** To register a passkey. */
        REGISTRATION("registration"),
        /** To sign in. */
        SIGN_IN("sign-in"),
        /** To confirm a call. */
        CONFIRMATION("confirmation"),
        /** To accept a request. */
        ACCEPTANCE("acceptance");

        private final String wireName;

        Purpose(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /**
     * A challenge.
     *
     * @param text base64url
     * @param purpose what it is for
     * @param user who may use it; null for anyone
     * @param attested what is accepted with it; null for other purposes
     * @param change the change of the policy that is confirmed with it; null for other purposes and calls
     * @param call the hash of any other call that is confirmed with it; null for other purposes
     * @param expiresAt when it ends
     */
    record PasskeyChallenge(
            String text,
            Purpose purpose,
            @Nullable UserId user,
            @Nullable AttestedRequest attested,
            @Nullable AttestedChange change,
            @Nullable String call,
            Instant expiresAt) {}

    /** Stores a new challenge. */
    void add(PasskeyChallenge challenge);

    /** Removes and returns a challenge; empty when there is none, or somebody took it. It may have expired. */
    Optional<PasskeyChallenge> take(String text);

    /** Removes challenges that end at the given moment or before, and returns how many. */
    int removeExpired(Instant now);
}
