package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.RequestMails;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Users, their sessions and their devices, in memory. */
final class InMemoryUsers implements Users, Sessions, Devices {
    private final Map<String, User> byEmail = new HashMap<>();
    private final Map<String, StoredSession> sessions = new HashMap<>();
    private final Map<String, Device> devices = new HashMap<>();
    private final Runnable reach;

    /** @param reach throws while the store is set to fail */
    InMemoryUsers(Runnable reach) {
        this.reach = reach;
    }

    @Override
    public synchronized boolean add(User user) {
        reach.run();
        return byEmail.putIfAbsent(user.email(), user) == null;
    }

    synchronized void remove(UserId user) {
        reach.run();
        byEmail.values().removeIf(it -> it.id().equals(user));
        sessions.values().removeIf(session -> session.userId().equals(user));
        devices.values().removeIf(device -> device.user.equals(user));
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
    public synchronized void setPassword(UserId id, String passwordHash) {
        reach.run();
        change(
                id,
                user -> new User(
                        id,
                        user.email(),
                        passwordHash,
                        user.createdAt(),
                        user.requestMails(),
                        user.isEmailConfirmed()));
    }

    @Override
    public synchronized boolean setEmail(UserId id, String email, boolean isConfirmed) {
        reach.run();
        User user = byId(id).orElse(null);
        User holder = byEmail.get(email);
        if (user == null || holder != null && !holder.id().equals(id)) {
            return false;
        }
        byEmail.remove(user.email());
        byEmail.put(
                email, new User(id, email, user.passwordHash(), user.createdAt(), user.requestMails(), isConfirmed));
        return true;
    }

    @Override
    public synchronized void confirmEmail(UserId id, String email) {
        reach.run();
        change(
                id,
                user -> user.email().equals(email)
                        ? new User(id, email, user.passwordHash(), user.createdAt(), user.requestMails(), true)
                        : user);
    }

    @Override
    public synchronized void setRequestMails(UserId id, RequestMails mails) {
        reach.run();
        change(
                id,
                user -> new User(
                        id, user.email(), user.passwordHash(), user.createdAt(), mails, user.isEmailConfirmed()));
    }

    private void change(UserId id, UnaryOperator<User> change) {
        byEmail.replaceAll((email, user) -> user.id().equals(id) ? change.apply(user) : user);
    }

    @Override
    public synchronized void open(String tokenHash, StoredSession session) {
        reach.run();
        sessions.put(tokenHash, session);
    }

    @Override
    public synchronized Optional<StoredSession> find(String tokenHash) {
        reach.run();
        return Optional.ofNullable(sessions.get(tokenHash));
    }

    @Override
    public synchronized void use(String tokenHash, Instant at) {
        reach.run();
        sessions.computeIfPresent(
                tokenHash, (token, session) -> session.lastUsedAt().isBefore(at) ? session.usedAt(at) : session);
    }

    @Override
    public synchronized void close(String tokenHash) {
        reach.run();
        sessions.remove(tokenHash);
    }

    @Override
    public synchronized List<StoredSession> of(UserId user) {
        reach.run();
        return sessions.values().stream()
                .filter(session -> session.userId().equals(user))
                .sorted(Comparator.comparing(StoredSession::createdAt)
                        .thenComparing(StoredSession::id)
                        .reversed())
                .toList();
    }

    @Override
    public synchronized boolean close(UserId user, UUID id) {
        reach.run();
        return sessions.values()
                .removeIf(
                        session -> session.userId().equals(user) && session.id().equals(id));
    }

    @Override
    public synchronized void closeAll(UserId user, @Nullable String except) {
        reach.run();
        sessions.entrySet()
                .removeIf(entry -> entry.getValue().userId().equals(user)
                        && !entry.getKey().equals(except));
    }

    @Override
    public synchronized void closeBeyond(UserId user, String kept, Instant now, int max) {
        reach.run();
        sessions.entrySet().stream()
                .filter(entry -> entry.getValue().userId().equals(user)
                        && !entry.getKey().equals(kept)
                        && entry.getValue().expiresAt().isAfter(now))
                .sorted(Comparator.<Map.Entry<String, StoredSession>, Instant>comparing(
                                entry -> entry.getValue().lastUsedAt())
                        .reversed())
                .skip(max - 1L)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(sessions::remove);
    }

    @Override
    public synchronized int removeEnded(Instant now, Instant unusedSince) {
        reach.run();
        int before = sessions.size();
        sessions.values()
                .removeIf(session -> !session.expiresAt().isAfter(now)
                        || !session.lastUsedAt().isAfter(unusedSince));
        return before - sessions.size();
    }

    @Override
    public synchronized void remember(String tokenHash, UserId user, Instant now, int max) {
        reach.run();
        devices.put(tokenHash, new Device(user, now));
        devices.entrySet().stream()
                .filter(entry -> entry.getValue().user.equals(user))
                .sorted(Map.Entry.comparingByValue(
                        Comparator.comparing(Device::usedAt).reversed()))
                .skip(max)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(devices::remove);
    }

    @Override
    public synchronized Optional<UserId> find(String tokenHash, Instant usedAfter) {
        reach.run();
        return Optional.ofNullable(devices.get(tokenHash))
                .filter(device -> device.usedAt.isAfter(usedAfter))
                .map(Device::user);
    }

    @Override
    public synchronized void forget(UserId user, @Nullable String except) {
        reach.run();
        devices.entrySet()
                .removeIf(entry ->
                        entry.getValue().user.equals(user) && !entry.getKey().equals(except));
    }

    @Override
    public synchronized int removeUnused(Instant since) {
        reach.run();
        int before = devices.size();
        devices.values().removeIf(device -> !device.usedAt.isAfter(since));
        return before - devices.size();
    }

    private record Device(UserId user, Instant usedAt) {}
}
