package dev.agentpolicy.domain.port;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Challenges of passkeys in memory. */
public final class InMemoryPasskeyChallenges implements PasskeyChallenges {
    private final Map<String, PasskeyChallenge> open = new HashMap<>();

    @Override
    public synchronized void add(PasskeyChallenge challenge) {
        open.put(challenge.text(), challenge);
    }

    @Override
    public synchronized Optional<PasskeyChallenge> take(String text) {
        return Optional.ofNullable(open.remove(text));
    }

    @Override
    public synchronized int removeExpired(Instant now) {
        int before = open.size();
        open.values().removeIf(challenge -> !challenge.expiresAt().isAfter(now));
        return before - open.size();
    }
}
