package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKey.ConnectedClient;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Credential;
import dev.agentpolicy.domain.agent.KeyChange;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.RequestTransitions;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Mints, rotates and revokes the agent keys of a user (docs/reference/keys.md). */
public final class IssueKeys {
    /** Maximum number of a user's working keys. */
    public static final int MAX_ACTIVE = 100;

    /** The longest overlap of two secrets of a key. */
    public static final Duration MAX_OVERLAP = Duration.ofDays(1);

    private static final int SECRET_BYTES = 32;

    private final Accounts accounts;
    private final AccountReader reader;
    private final RandomSource random;

    public IssueKeys(Accounts accounts, AccountReader reader, RandomSource random) {
        this.accounts = accounts;
        this.reader = reader;
        this.random = random;
    }

    /**
     * A key with its new secret.
     *
     * @param key the stored key
     * @param credential the secret, which is not stored and is shown once
     */
    public record Issued(AgentKey key, Credential credential) {}

    /** Mints a new key for a user who confirms nothing. */
    public CompletionStage<Answer<Issued>> mint(UserId user, KeyRequest request) {
        return mint(ConfirmingOwner.unconfirmed(user), request);
    }

    /** Mints a new key, which lets agents do more. */
    public CompletionStage<Answer<Issued>> mint(ConfirmingOwner owner, KeyRequest request) {
        AgentKeyId id = new AgentKeyId(random.uuid());
        Credential credential = secret(request.type());
        return accounts.change(
                owner.user(),
                account -> owner.change(
                        account,
                        true,
                        confirmed -> request.canonical(
                                        KnownAssets.resolver(account.portfolio(), account.ips(), List.of()))
                                .fold(
                                        spelled -> mint(account, spelled, id, credential),
                                        problems -> Outcome.nothing(Answer.refused(Refusal.invalid(problems))))));
    }

    /** Every key of the user, newest first. */
    public List<AgentKey> list(UserId user) {
        return reader.view(user).keys().values().stream()
                .sorted(Comparator.comparing(AgentKey::createdAt)
                        .thenComparing(key -> key.id().toString())
                        .reversed())
                .toList();
    }

    /** Changes a key of a user who confirms nothing. */
    public CompletionStage<Answer<AgentKey>> change(UserId user, AgentKeyId id, KeyChange change) {
        return change(ConfirmingOwner.unconfirmed(user), id, change);
    }

    /** Changes a key without a new secret. A change that changes nothing adds no event. */
    public CompletionStage<Answer<AgentKey>> change(ConfirmingOwner owner, AgentKeyId id, KeyChange change) {
        return accounts.change(owner.user(), new ChangeOfKey(owner, id, change));
    }

    private record ChangeOfKey(ConfirmingOwner owner, AgentKeyId id, KeyChange change)
            implements Change<Answer<AgentKey>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.tally(id);
        }

        @Override
        public Outcome<Answer<AgentKey>> apply(Account account) {
            return withActive(
                    account,
                    id,
                    key -> change.applied(key, KnownAssets.resolver(account.portfolio(), account.ips(), List.of()))
                            .fold(
                                    next -> owner.change(
                                            account,
                                            next.permitsMoreThan(key),
                                            confirmed -> changed(account, key, next)),
                                    problems -> Outcome.nothing(Answer.refused(Refusal.invalid(problems)))));
        }

        private static Outcome<Answer<AgentKey>> changed(Account account, AgentKey before, AgentKey next) {
            if (next.equals(before)) {
                return Outcome.nothing(Answer.given(before));
            }
            Outcome.Recording recording = new Outcome.Recording();
            if (before.policy().dailyCallCap() == null && next.policy().dailyCallCap() != null) {
                // The decisions of today count towards a cap that is new.
                recording.calls(next.id(), account.calls(before));
            }
            return recording.key(next).event(EventPayloads.keyChanged(next)).answer(receipts -> Answer.given(next));
        }
    }

    /** Replaces the secret of a key of a user who confirms nothing; the old secret stops working at once. */
    public CompletionStage<Answer<Issued>> rotate(UserId user, AgentKeyId id) {
        return rotate(user, id, Duration.ZERO);
    }

    /** Replaces the secret of a key of a user who confirms nothing. */
    public CompletionStage<Answer<Issued>> rotate(UserId user, AgentKeyId id, Duration overlap) {
        return rotate(ConfirmingOwner.unconfirmed(user), id, overlap);
    }

    /**
     * Replaces the secret of a key, which lets whoever has the new one act.
     *
     * @param overlap how long the present secret works beside the new one, at most {@link #MAX_OVERLAP}; a secret
     *     before the present one stops at once
     */
    public CompletionStage<Answer<Issued>> rotate(ConfirmingOwner owner, AgentKeyId id, Duration overlap) {
        Credential live = secret(KeyType.LIVE);
        Credential test = secret(KeyType.TEST);
        return accounts.change(
                owner.user(),
                account -> withActive(account, id, key -> {
                    if (key.client() != null) {
                        String message = "A connection has no secret to rotate; end it, and connect the client again.";
                        return Outcome.nothing(Answer.refused(Refusal.of(Refusal.Code.IS_A_CONNECTION, message)));
                    }
                    Credential credential = key.type() == KeyType.LIVE ? live : test;
                    AgentKey rotated = key.rotated(credential, overlap, account.now());
                    return owner.change(
                            account,
                            true,
                            confirmed -> record(EventKind.KEY_ROTATED, rotated, new Issued(rotated, credential)));
                }));
    }

    /**
     * Makes the key of a connection. If the client has one already that works, the new one takes its place: it keeps its id,
     * and what it has used of its caps.
     *
     * @param consent the random id of the consent, by which its tokens find the key
     */
    public CompletionStage<Answer<AgentKey>> connect(
            UserId user, KeyRequest request, ConnectedClient client, String consent) {
        AgentKeyId id = new AgentKeyId(random.uuid());
        return accounts.change(user, account -> {
            AgentKey earlier = connected(account.keys().values(), client.id(), account.now());
            if (earlier != null) {
                AgentKey again = earlier.reconnected(request, consent, client, account.now());
                return record(EventKind.KEY_ROTATED, again, again);
            }
            return tooMany(account)
                    .<Outcome<Answer<AgentKey>>>map(refusal -> Outcome.nothing(Answer.refused(refusal)))
                    .orElseGet(() -> {
                        AgentKey key = AgentKey.connected(id, user, request, consent, client, account.now());
                        return record(EventKind.KEY_MINTED, key, key);
                    });
        });
    }

    /** The working connection of a client; null for none. */
    public static @Nullable AgentKey connected(Collection<AgentKey> keys, String clientId, Instant now) {
        return keys.stream()
                .filter(key -> key.client() != null && key.client().id().equals(clientId) && key.isActive(now))
                .findFirst()
                .orElse(null);
    }

    /**
     * Revokes a key and rejects its requests that wait for the user. Of requests that the user has accepted, the orders
     * that their custodians have are still executed, and the others are taken back by {@link ExecuteOrders}.
     */
    public CompletionStage<Answer<AgentKey>> revoke(UserId user, AgentKeyId id) {
        return accounts.change(user, new Revoke(id));
    }

    /** Revokes all working keys of a user, one after the other. Blocks. */
    public void revokeAll(UserId user) {
        for (AgentKey key : list(user)) {
            accounts.await(revoke(user, key.id()));
        }
    }

    private record Revoke(AgentKeyId id) implements Change<Answer<AgentKey>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.pendingOf(id);
        }

        @Override
        public Outcome<Answer<AgentKey>> apply(Account account) {
            return withActive(account, id, key -> {
                Outcome.Recording recording = new Outcome.Recording();
                rejectWaiting(recording, account);
                AgentKey revoked = key.revoked(account.now());
                return record(recording, EventKind.KEY_REVOKED, revoked, revoked);
            });
        }

        private void rejectWaiting(Outcome.Recording recording, Account account) {
            Tally tally = account.tallies().getOrDefault(id, Tally.NONE);
            for (Pending waiting : account.waitingRequests(id)) {
                tally = tally.minusPending(waiting.proposal().trade());
                if (waiting.isExpired(account.now())) {
                    recording
                            .request(waiting.rejected(Rejected.EXPIRED, account.now()))
                            .tally(id, tally);
                } else {
                    RequestTransitions.reject(recording, waiting.rejected(Rejected.KEY_REVOKED, account.now()), tally);
                }
            }
        }
    }

    private static Outcome<Answer<Issued>> mint(
            Account account, KeyRequest request, AgentKeyId id, Credential credential) {
        Refusal tooMany = tooMany(account).orElse(null);
        if (tooMany != null) {
            return Outcome.nothing(Answer.refused(tooMany));
        }
        AgentKey key = new AgentKey(
                id,
                account.userId(),
                request.name(),
                request.type(),
                request.scopes(),
                request.policy(),
                credential.hash(),
                credential.last4(),
                account.now(),
                request.expiresAt(account.now()),
                null,
                null,
                request.networks(),
                null);
        return record(EventKind.KEY_MINTED, key, new Issued(key, credential));
    }

    /** Why the account may have no further key; empty if it may. */
    public static Optional<Refusal> tooMany(Account account) {
        long active = account.keys().values().stream()
                .filter(key -> key.isActive(account.now()))
                .count();
        String message = "There are " + MAX_ACTIVE + " working keys already; revoke one first.";
        return active < MAX_ACTIVE ? Optional.empty() : Optional.of(Refusal.of(Refusal.Code.TOO_MANY, message));
    }

    private static <R> Outcome<Answer<R>> record(EventKind kind, AgentKey key, R answer) {
        return record(new Outcome.Recording(), kind, key, answer);
    }

    private static <R> Outcome<Answer<R>> record(Outcome.Recording recording, EventKind kind, AgentKey key, R answer) {
        return recording.key(key).event(EventPayloads.key(kind, key)).answer(receipts -> Answer.given(answer));
    }

    private static <R> Outcome<Answer<R>> withActive(
            Account account, AgentKeyId id, Function<AgentKey, Outcome<Answer<R>>> work) {
        return account.key(id)
                .filter(key -> key.isActive(account.now()))
                .map(work)
                .orElseGet(() -> Outcome.nothing(
                        Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no working key with this id."))));
    }

    private Credential secret(KeyType type) {
        return Credential.of(type, random.bytes(SECRET_BYTES));
    }
}
