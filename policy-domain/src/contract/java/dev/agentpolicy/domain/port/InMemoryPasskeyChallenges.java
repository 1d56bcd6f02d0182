package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.port.signin.PasskeyChallenges;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Challenges of passkeys in memory. */
public final class InMemoryPasskeyChallenges implements PasskeyChallenges {
    private final Map<String, PasskeyChallenge> open = new HashMap<>();
    private final Runnable reach;

    /** @param reach throws while the store is set to fail */
    public InMemoryPasskeyChallenges(Runnable reach) {
        this.reach = reach;
    }

    @Override
    public synchronized void add(PasskeyChallenge challenge) {
        reach.run();
        open.put(challenge.text(), challenge);
    }

    @Override
    public synchronized Optional<PasskeyChallenge> take(String text) {
        reach.run();
        return Optional.ofNullable(open.remove(text));
    }

    @Override
    public synchronized int removeExpired(Instant now) {
        reach.run();
        int before = open.size();
        open.values().removeIf(challenge -> !challenge.expiresAt().isAfter(now));
        return before - open.size();
    }
}
