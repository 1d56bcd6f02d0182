package dev.agentpolicy.adapter.jdbc.commit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.agentpolicy.adapter.jdbc.cache.HeapWeight;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Accounts as this node last committed them. Another node may have changed them since, so a batch that begins here is
 * committed only if the number of changes in every row of it is still the one that is remembered, and the next places of
 * the chains are free. The calls of a key with a daily call cap are counted without a change of its account, so they are
 * never remembered.
 */
final class AccountCache {
    static final int MAX_SIZE = 20_000;
    private static final int PERCENT = 4;
    private static final int BYTES_OF_AN_ACCOUNT = 1_000;
    private static final int BYTES_OF_A_TALLY = 900;
    private static final Duration CONTENDED = Duration.ofSeconds(1);

    private final Cache<UserId, Known> accounts = Caffeine.newBuilder()
            .maximumWeight(HeapWeight.share(PERCENT))
            .weigher((UserId user, Known known) -> known.bytes())
            .build();

    private final Cache<UserId, Boolean> contended = Caffeine.newBuilder()
            .maximumSize(MAX_SIZE)
            .expireAfterWrite(CONTENDED)
            .build();

    private final Set<Connection> heard = Collections.newSetFromMap(new WeakHashMap<>());

    private record Known(AccountRow row, Map<AgentKeyId, Tally> tallies, Set<AgentKeyId> unsaved) {

        int bytes() {
            return BYTES_OF_AN_ACCOUNT + BYTES_OF_A_TALLY * tallies.size();
        }
    }

    /**
     * Forgets everything at a connection that is new: the database may have been put back, or another may have taken its
     * place, and lack what was committed over the one before. What was written in its place since has the same revisions.
     */
    synchronized void hear(Connection connection, RevisionCache revisions) {
        if (heard.add(connection)) {
            accounts.invalidateAll();
            revisions.forget();
        }
    }

    /** The account if everything is known that some changes of it need. */
    Optional<LoadedAccount> find(UserId user, Collection<LoadSpec> needs, RevisionCache revisions) {
        Known known = contended.getIfPresent(user) == null ? accounts.getIfPresent(user) : null;
        if (known == null || !needs.stream().allMatch(it -> isAtHand(it, known))) {
            return Optional.empty();
        }
        LoadedAccount account = new LoadedAccount(known.row);
        account.tallies().putAll(known.tallies);
        account.unsaved().addAll(known.unsaved);
        return Optional.of(account)
                .filter(it -> it.recallIps(revisions) && it.recallPortfolio(revisions) && it.recallKeys(revisions))
                .filter(it -> needs.stream().noneMatch(need -> need.calls() && it.isCapped(need.tally())));
    }

    private static boolean isAtHand(LoadSpec needs, Known known) {
        return needs.tally() != null
                && known.tallies.containsKey(needs.tally())
                && needs.request() == null
                && needs.replay() == null
                && needs.pendingOf() == null
                && !needs.unfilled();
    }

    /**
     * Takes note of what was committed.
     *
     * @param before the row as it was; tallies that were known of exactly this one are known still
     * @param tallies those the changes needed, as they are now
     * @param unsaved keys whose stored tallies do not tell of their last calls
     */
    void keep(AccountRow before, AccountRow after, Map<AgentKeyId, Tally> tallies, Set<AgentKeyId> unsaved) {
        Known known = accounts.getIfPresent(after.userId());
        Map<AgentKeyId, Tally> all = new HashMap<>(tallies);
        if (known != null && known.row.changes() == before.changes()) {
            known.tallies.forEach(all::putIfAbsent);
        }
        accounts.put(after.userId(), new Known(after, all, unsaved));
    }

    /** Whether the chain is known to be ahead of the account row. */
    boolean isTrailing(UserId user) {
        Known known = accounts.getIfPresent(user);
        return known != null && !known.unsaved.isEmpty();
    }

    /** Forgets accounts that turned out to be old; who shares them with another node locks them for a while. */
    void forget(Collection<UserId> users) {
        accounts.invalidateAll(users);
        users.forEach(user -> contended.put(user, true));
    }
}
