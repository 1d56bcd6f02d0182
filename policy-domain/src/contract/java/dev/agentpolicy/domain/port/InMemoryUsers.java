package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Users, their sessions, their devices and the tokens mailed to them, in memory. */
final class InMemoryUsers implements Users, Sessions, Devices, MailTokens {
    private final Map<String, User> byEmail = new HashMap<>();
    private final Map<String, StoredSession> sessions = new HashMap<>();
    private final Map<String, Device> devices = new HashMap<>();
    private final Map<String, MailToken> tokens = new HashMap<>();
    private final Map<UserId, Set<String>> doneItems = new HashMap<>();
    private final Map<UserId, Long> doneChanges = new HashMap<>();
    private final InMemoryPushDevices pushDevices;
    private final Runnable reach;
    private final Function<UserId, AccountVersions> versions;

    /**
     * Makes an empty store.
     *
     * @param reach throws while the store is set to fail
     * @param versions the versions of the account of a user
     */
    InMemoryUsers(Runnable reach, Function<UserId, AccountVersions> versions) {
        this.reach = reach;
        this.pushDevices = new InMemoryPushDevices(reach);
        this.versions = versions;
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
        tokens.values().removeIf(token -> token.userId().equals(user));
        pushDevices.removeAll(user);
    }

    InMemoryPushDevices pushDevices() {
        return pushDevices;
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
                        user.notices(),
                        user.isEmailConfirmed(),
                        user.recoveredAt()));
    }

    @Override
    public synchronized void changePassword(
            UserId id, String passwordHash, @Nullable String keptSession, @Nullable String keptDevice) {
        setPassword(id, passwordHash);
        closeSessions(id, keptSession);
        forgetDevices(id, keptDevice);
        pushDevices.removeAll(id);
        tokens.values().removeIf(token -> token.userId().equals(id));
    }

    @Override
    public synchronized Optional<UserId> resetPassword(String tokenHash, Instant now, String passwordHash) {
        Optional<MailToken> token = find(tokenHash, Purpose.PASSWORD_RESET, now);
        token.ifPresent(used -> {
            byId(used.userId())
                    .filter(user -> user.email().equals(used.email()))
                    .ifPresent(this::confirm);
            change(used.userId(), user -> recovered(user, now));
            changePassword(used.userId(), passwordHash, null, null);
        });
        return token.map(MailToken::userId);
    }

    @Override
    public synchronized boolean setEmail(
            UserId id, String email, boolean isConfirmed, Instant now, @Nullable String keptSession) {
        reach.run();
        User user = byId(id).orElse(null);
        User holder = byEmail.get(email);
        if (user == null || holder != null && !holder.id().equals(id)) {
            return false;
        }
        byEmail.remove(user.email());
        byEmail.put(
                email, new User(id, email, user.passwordHash(), user.createdAt(), user.notices(), isConfirmed, now));
        closeSessions(id, keptSession);
        removeTokens(id, Purpose.PASSWORD_RESET);
        return true;
    }

    @Override
    public synchronized EmailConfirmation confirmEmail(String tokenHash, Instant now, @Nullable String keptSession) {
        MailToken token = find(tokenHash, Purpose.EMAIL_CONFIRMATION, now).orElse(null);
        String email = token == null ? null : token.email();
        if (token == null || email == null) {
            return EmailConfirmation.NO_TOKEN;
        }
        User user = byId(token.userId()).orElseThrow();
        if (user.email().equals(email)) {
            confirm(user);
        } else if (!setEmail(user.id(), email, true, now, keptSession)) {
            return EmailConfirmation.TAKEN;
        }
        tokens.remove(tokenHash);
        return EmailConfirmation.CONFIRMED;
    }

    private void confirm(User user) {
        change(
                user.id(),
                it -> new User(
                        it.id(), it.email(), it.passwordHash(), it.createdAt(), it.notices(), true, it.recoveredAt()));
    }

    private static User recovered(User it, Instant now) {
        return new User(
                it.id(), it.email(), it.passwordHash(), it.createdAt(), it.notices(), it.isEmailConfirmed(), now);
    }

    @Override
    public synchronized void setNotices(UserId id, NoticeSettings notices) {
        reach.run();
        pushDevices.decideAnew(id);
        change(
                id,
                user -> new User(
                        id,
                        user.email(),
                        user.passwordHash(),
                        user.createdAt(),
                        notices,
                        user.isEmailConfirmed(),
                        user.recoveredAt()));
    }

    @Override
    public synchronized Set<String> doneItems(UserId id) {
        reach.run();
        return doneItems.getOrDefault(id, Set.of());
    }

    @Override
    public synchronized void addDoneItem(UserId id, String item, Set<String> present) {
        Set<String> done = new HashSet<>(doneItems(id));
        done.retainAll(present);
        done.add(item);
        doneItems.put(id, Set.copyOf(done));
        doneChanges.merge(id, 1L, Long::sum);
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
        closeSessions(user, except);
    }

    @Override
    public synchronized void closeViewer(UserId user, UUID viewer) {
        reach.run();
        sessions.values().removeIf(session -> session.userId().equals(user) && viewer.equals(session.viewer()));
    }

    private void closeSessions(UserId user, @Nullable String except) {
        sessions.entrySet()
                .removeIf(entry -> entry.getValue().userId().equals(user)
                        && !entry.getKey().equals(except));
    }

    @Override
    public synchronized Map<String, WatchedSession> watch(Collection<String> tokenHashes) {
        reach.run();
        Map<String, WatchedSession> found = new HashMap<>();
        tokenHashes.forEach(hash -> find(hash)
                .ifPresent(session -> found.put(hash, new WatchedSession(session, versions(session.userId())))));
        return found;
    }

    private AccountVersions versions(UserId user) {
        AccountVersions of = versions.apply(user);
        return new AccountVersions(
                of.requests(), of.portfolio(), of.policy(), of.keys(), doneChanges.getOrDefault(user, 0L));
    }

    @Override
    public synchronized void closeBeyond(UserId user, @Nullable UUID viewer, String kept, Instant now, int max) {
        reach.run();
        sessions.entrySet().stream()
                .filter(entry -> entry.getValue().userId().equals(user)
                        && Objects.equals(entry.getValue().viewer(), viewer)
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
        forgetDevices(user, except);
    }

    private void forgetDevices(UserId user, @Nullable String except) {
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

    @Override
    public synchronized void store(String tokenHash, MailToken token) {
        remove(token.userId(), token.purpose());
        tokens.put(tokenHash, token);
    }

    @Override
    public synchronized Optional<MailToken> find(String tokenHash, Purpose purpose, Instant now) {
        reach.run();
        return Optional.ofNullable(tokens.get(tokenHash))
                .filter(token -> token.purpose() == purpose && token.expiresAt().isAfter(now));
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
        removeTokens(user, purpose);
    }

    private void removeTokens(UserId user, Purpose purpose) {
        tokens.values().removeIf(token -> token.userId().equals(user) && token.purpose() == purpose);
    }

    @Override
    public synchronized int removeExpired(Instant now) {
        reach.run();
        int before = tokens.size();
        tokens.values().removeIf(token -> !token.expiresAt().isAfter(now));
        return before - tokens.size();
    }

    private record Device(UserId user, Instant usedAt) {}
}
