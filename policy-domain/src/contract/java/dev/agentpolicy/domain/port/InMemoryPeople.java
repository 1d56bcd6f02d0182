package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Who may sign in and who is signed in, in memory. */
final class InMemoryPeople implements Users, Sessions {
    private final Map<String, User> byEmail = new HashMap<>();
    private final Map<String, Session> sessions = new HashMap<>();
    private final Runnable reach;

    /** @param reach fails while the store does */
    InMemoryPeople(Runnable reach) {
        this.reach = reach;
    }

    @Override
    public synchronized boolean add(User user) {
        reach.run();
        return byEmail.putIfAbsent(user.email(), user) == null;
    }

    @Override
    public synchronized Optional<User> byEmail(String email) {
        reach.run();
        return Optional.ofNullable(byEmail.get(email.toLowerCase(Locale.ROOT)));
    }

    @Override
    public synchronized Optional<User> byId(UserId id) {
        reach.run();
        return byEmail.values().stream().filter(user -> user.id().equals(id)).findFirst();
    }

    @Override
    public synchronized void open(String tokenHash, UserId user, Instant expiresAt) {
        reach.run();
        sessions.put(tokenHash, new Session(user, expiresAt));
    }

    @Override
    public synchronized Optional<UserId> find(String tokenHash, Instant now) {
        reach.run();
        return Optional.ofNullable(sessions.get(tokenHash))
                .filter(session -> now.isBefore(session.expiresAt))
                .map(session -> session.user);
    }

    @Override
    public synchronized void close(String tokenHash) {
        reach.run();
        sessions.remove(tokenHash);
    }

    @Override
    public synchronized int removeExpired(Instant now) {
        reach.run();
        int before = sessions.size();
        sessions.values().removeIf(session -> !now.isBefore(session.expiresAt));
        return before - sessions.size();
    }

    private record Session(UserId user, Instant expiresAt) {}
}
