package dev.agentpolicy.adapter.jdbc.commit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache.HeapWeight;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Accounts as this node last committed them, for the append protocol. Another node may have changed an account since; the
 * append itself finds that out. Calls of keys with a daily call cap are counted outside the account and never cached.
 *
 * <p>Safe for use by several lanes.
 */
final class AccountCache {
    static final int MAX_SIZE = 20_000;
    private static final int HEAP_PERCENT = 4;
    private static final int BYTES_OF_AN_ACCOUNT = 1_000;
    private static final int BYTES_OF_A_TALLY = 900;
    private static final int BYTES_OF_A_CONNECTION = 500;
    private static final int BYTES_OF_A_PASSKEY = 1_500;
    private static final int BYTES_OF_A_SCHEDULED_POLICY = 64_000;
    private static final Duration CONTENTION = Duration.ofSeconds(5);

    private final Cache<UserId, CachedAccount> accounts = Caffeine.newBuilder()
            .maximumWeight(HeapWeight.share(HEAP_PERCENT))
            .weigher((UserId user, CachedAccount cached) -> cached.bytes())
            .build();

    /** Accounts that another node has changed a moment ago; they are locked for a while. */
    private final Cache<UserId, Boolean> contended = Caffeine.newBuilder()
            .maximumSize(MAX_SIZE)
            .expireAfterWrite(CONTENTION)
            .build();

    private final Set<Connection> connections = Collections.newSetFromMap(new WeakHashMap<>());

    /**
     * An account after a commit.
     *
     * @param tallies what its keys have used; of those keys whose tallies are known
     * @param unsaved the keys whose stored tallies lack the decisions of the journal's tail
     */
    private record CachedAccount(AccountRow row, Map<AgentKeyId, Tally> tallies, Set<AgentKeyId> unsaved) {

        int bytes() {
            return BYTES_OF_AN_ACCOUNT
                    + BYTES_OF_A_TALLY * tallies.size()
                    + BYTES_OF_A_CONNECTION * row.connections().all().size()
                    + BYTES_OF_A_PASSKEY * row.passkeys().all().size()
                    + (row.passkeys().protection().scheduled() == null ? 0 : BYTES_OF_A_SCHEDULED_POLICY)
                    + row.flows().bytes();
        }

        boolean has(LoadSpec needs) {
            return needs.tally() != null
                    && tallies.containsKey(needs.tally())
                    && needs.request() == null
                    && needs.replay() == null
                    && needs.pendingOf() == null
                    && !needs.unfilled()
                    && needs.sync() == null;
        }
    }

    /**
     * Whether a connection is used for the first time. It may lead to a database that was restored or has taken the place of
     * another, lacks what was committed there, and has other contents under the same revisions; nothing cached counts then.
     */
    synchronized boolean isNew(Connection connection) {
        return connections.add(connection);
    }

    void forgetAll(RevisionCache revisions) {
        accounts.invalidateAll();
        revisions.forget();
    }

    /** The account, if changes can be appended to it: they record decisions only, and all they need is cached. */
    @Nullable
    AccountSession find(UserId user, List<PendingChange<?>> changes, RevisionCache revisions) {
        CachedAccount cached = contended.getIfPresent(user) == null ? accounts.getIfPresent(user) : null;
        if (cached == null || !isAppendable(cached, changes)) {
            return null;
        }
        AccountSession account = new AccountSession(cached.row, cached.tallies, cached.unsaved);
        boolean isComplete =
                account.findIps(revisions) && account.findPortfolio(revisions) && account.findKeys(revisions);
        return isComplete && changes.stream().map(PendingChange::needs).noneMatch(it -> isCounted(it, account))
                ? account
                : null;
    }

    private static boolean isAppendable(CachedAccount cached, List<PendingChange<?>> changes) {
        long tail = cached.row.head().seq() - cached.row.storedSeq();
        for (PendingChange<?> waiting : changes) {
            if (waiting.maxDecisions() == 0 || !cached.has(waiting.needs())) {
                return false;
            }
            tail += waiting.maxDecisions();
        }
        return tail <= Dialect.MAX_TAIL;
    }

    private static boolean isCounted(LoadSpec needs, AccountSession account) {
        return needs.calls() && account.isCapped(needs.tally());
    }

    /**
     * Caches what was committed.
     *
     * @param before the row before; cached tallies of exactly this row stay valid
     * @param tallies those that the changes needed, as they are now
     * @param unsaved the keys whose stored tallies lack the decisions of the journal's tail
     */
    void put(AccountRow before, AccountRow after, Map<AgentKeyId, Tally> tallies, Set<AgentKeyId> unsaved) {
        CachedAccount cached = accounts.getIfPresent(after.userId());
        Map<AgentKeyId, Tally> all = new HashMap<>(tallies);
        if (cached != null && cached.row.changes() == before.changes()) {
            cached.tallies.forEach(all::putIfAbsent);
        }
        accounts.put(after.userId(), new CachedAccount(after, all, Set.copyOf(unsaved)));
    }

    /** Whether the journal is known to be ahead of the snapshot. */
    boolean isSnapshotBehind(UserId user) {
        CachedAccount cached = accounts.getIfPresent(user);
        return cached != null && !cached.unsaved.isEmpty();
    }

    /** Forgets accounts that another node has changed; they are locked for a while. */
    void forget(Collection<UserId> users) {
        accounts.invalidateAll(users);
        users.forEach(user -> contended.put(user, true));
    }
}
