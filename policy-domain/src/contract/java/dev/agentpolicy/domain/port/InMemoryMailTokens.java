package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.MailTokens;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** {@link MailTokens} in memory. */
final class InMemoryMailTokens implements MailTokens {
    private final Map<String, MailToken> tokens = new HashMap<>();
    private final Runnable reach;

    /** @param reach throws while the store is set to fail */
    InMemoryMailTokens(Runnable reach) {
        this.reach = reach;
    }

    @Override
    public synchronized void store(String tokenHash, MailToken token) {
        remove(token.userId(), token.purpose());
        tokens.put(tokenHash, token);
    }

    @Override
    public synchronized Optional<MailToken> take(String tokenHash, Purpose purpose, Instant now) {
        reach.run();
        Optional<MailToken> found = Optional.ofNullable(tokens.get(tokenHash))
                .filter(token -> token.purpose() == purpose && token.expiresAt().isAfter(now));
        found.ifPresent(token -> tokens.remove(tokenHash));
        return found;
    }

    @Override
    public synchronized Optional<MailToken> of(UserId user, Purpose purpose, Instant now) {
        reach.run();
        return tokens.values().stream()
                .filter(token -> token.userId().equals(user) && token.purpose() == purpose)
                .filter(token -> token.expiresAt().isAfter(now))
                .findFirst();
    }

    @Override
    public synchronized void remove(UserId user, Purpose purpose) {
        reach.run();
        tokens.values().removeIf(token -> token.userId().equals(user) && token.purpose() == purpose);
    }

    @Override
    public synchronized int removeExpired(Instant now) {
        reach.run();
        int before = tokens.size();
        tokens.values().removeIf(token -> !token.expiresAt().isAfter(now));
        return before - tokens.size();
    }

    synchronized void removeOf(UserId user) {
        tokens.values().removeIf(token -> token.userId().equals(user));
    }
}
