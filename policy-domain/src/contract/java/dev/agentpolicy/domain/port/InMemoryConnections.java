package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Clients, requests and tokens of connections in memory. */
final class InMemoryConnections implements ConnectionStore {
    private final Map<String, RegisteredClient> clients = new HashMap<>();
    private final Set<String> used = new HashSet<>();
    private final Map<UUID, AuthorizationRequest> requests = new HashMap<>();
    private final Map<UUID, UserId> seen = new HashMap<>();
    private final Map<String, CodedConsent> codes = new HashMap<>();
    private final Map<String, KeptToken> tokens = new HashMap<>();
    private final Runnable reach;

    /** @param reach throws while the store is set to fail */
    InMemoryConnections(Runnable reach) {
        this.reach = reach;
    }

    private static final class KeptToken {
        private final TokenOwner owner;
        private final @Nullable String parent;
        private Instant expiresAt;
        private int access;
        private @Nullable Instant accessEnds;
        private @Nullable Instant usedAt;

        KeptToken(TokenOwner owner, @Nullable String parent, Instant expiresAt) {
            this.owner = owner;
            this.parent = parent;
            this.expiresAt = expiresAt;
        }
    }

    @Override
    public synchronized void register(RegisteredClient client) {
        reach.run();
        clients.put(client.id(), client);
    }

    @Override
    public synchronized Optional<RegisteredClient> client(String id) {
        reach.run();
        return Optional.ofNullable(clients.get(id));
    }

    @Override
    public synchronized void begin(AuthorizationRequest request) {
        reach.run();
        requests.put(request.id(), request);
    }

    @Override
    public synchronized Optional<AuthorizationRequest> request(UUID id) {
        reach.run();
        return Optional.ofNullable(requests.get(id));
    }

    @Override
    public synchronized void seen(UUID id, UserId user) {
        reach.run();
        seen.putIfAbsent(id, user);
    }

    @Override
    public synchronized List<AuthorizationRequest> waiting(UserId user, Instant now) {
        reach.run();
        return requests.values().stream()
                .filter(request -> user.equals(seen.get(request.id())))
                .filter(request -> !request.isAnswered() && now.isBefore(request.expiresAt()))
                .toList();
    }

    @Override
    public synchronized boolean approve(UUID id, String codeHash, Consent consent, Instant now) {
        boolean isFirst = deny(id, now);
        if (isFirst) {
            AskedConnection asked = requests.get(id).asked();
            codes.put(codeHash, new CodedConsent(asked, consent, false, false));
            used.add(asked.client().id());
        }
        return isFirst;
    }

    @Override
    public synchronized boolean deny(UUID id, Instant now) {
        reach.run();
        AuthorizationRequest request = requests.get(id);
        if (request == null || request.isAnswered() || !now.isBefore(request.expiresAt())) {
            return false;
        }
        requests.put(
                id, new AuthorizationRequest(id, request.browserHash(), request.asked(), request.expiresAt(), true));
        return true;
    }

    @Override
    public synchronized Optional<CodedConsent> consent(String codeHash) {
        reach.run();
        return Optional.ofNullable(codes.get(codeHash));
    }

    @Override
    public synchronized boolean exchange(String codeHash) {
        reach.run();
        CodedConsent coded = codes.get(codeHash);
        if (coded == null) {
            return false;
        }
        codes.put(codeHash, new CodedConsent(coded.asked(), coded.consent(), true, coded.wasExchanged()));
        return !coded.wasExchanged();
    }

    @Override
    public synchronized void issue(TokenOwner owner, String refreshHash, String accessHash, Instant now) {
        reach.run();
        addRefresh(owner, refreshHash, null, owner.expiresAt(), accessHash, now);
    }

    private KeptToken addRefresh(
            TokenOwner owner, String hash, @Nullable String parent, Instant expiresAt, String accessHash, Instant now) {
        KeptToken refresh = new KeptToken(owner, parent, expiresAt);
        tokens.put(hash, refresh);
        addAccess(refresh, hash, accessHash, now);
        return refresh;
    }

    private void addAccess(KeptToken refresh, String refreshHash, String accessHash, Instant now) {
        Instant ends = now.plus(ACCESS_TOKEN_AGE);
        refresh.access++;
        refresh.accessEnds = ends;
        tokens.put(accessHash, new KeptToken(refresh.owner, refreshHash, ends));
    }

    @Override
    public synchronized Optional<TokenOwner> owner(String tokenHash, Instant now) {
        reach.run();
        return Optional.ofNullable(tokens.get(tokenHash))
                .filter(token -> now.isBefore(token.expiresAt))
                .map(token -> new TokenOwner(token.owner.user(), token.owner.consent(), token.expiresAt));
    }

    @Override
    public synchronized Optional<Succession> succeed(
            String refreshHash, String successorHash, IntFunction<String> accessHash, Duration grace, Instant now) {
        reach.run();
        KeptToken old = tokens.get(refreshHash);
        if (old == null || old.accessEnds == null || !now.isBefore(old.expiresAt)) {
            return Optional.empty();
        }
        KeptToken successor = tokens.get(successorHash);
        if (successor == null) {
            old.usedAt = old.usedAt == null ? now : old.usedAt;
            Instant expiresAt = now.plus(REFRESH_TOKEN_AGE);
            successor = addRefresh(old.owner, successorHash, refreshHash, expiresAt, accessHash.apply(1), now);
        } else if (successor.usedAt != null && successor.usedAt.plus(grace).isBefore(now)) {
            return Optional.of(new Succession(0, now));
        } else if (successor.accessEnds == null
                || !now.plus(MIN_ACCESS_TOKEN_REST).isBefore(successor.accessEnds)) {
            addAccess(successor, successorHash, accessHash.apply(successor.access + 1), now);
        }
        successor.expiresAt = now.plus(REFRESH_TOKEN_AGE);
        return Optional.of(new Succession(successor.access, successor.accessEnds == null ? now : successor.accessEnds));
    }

    @Override
    public synchronized int removeExpired(Instant now, Instant unusedSince) {
        reach.run();
        int before = tokens.size() + clients.size();
        tokens.values().removeIf(token -> !now.isBefore(token.expiresAt));
        clients.values()
                .removeIf(client ->
                        !used.contains(client.id()) && !client.createdAt().isAfter(unusedSince));
        return before - tokens.size() - clients.size();
    }

    /** The owner of an access token, which is thereby used. */
    synchronized Optional<TokenOwner> use(String accessHash, Instant now) {
        KeptToken token = tokens.get(accessHash);
        if (token == null || token.accessEnds != null || token.parent == null) {
            return Optional.empty();
        }
        KeptToken refresh = tokens.get(token.parent);
        if (refresh != null && refresh.usedAt == null) {
            refresh.usedAt = now;
        }
        return Optional.of(new TokenOwner(token.owner.user(), token.owner.consent(), token.expiresAt));
    }

    synchronized void remove(UserId user) {
        tokens.values().removeIf(token -> token.owner.user().equals(user));
        codes.values().removeIf(coded -> coded.consent().user().equals(user));
    }
}
