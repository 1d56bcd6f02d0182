package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A locked account while its parts come in. */
final class LoadedAccount {
    private AccountRow row;
    private final Map<AgentKeyId, Tally> tallies = new HashMap<>(2);
    private final Set<AgentKeyId> unsaved = new HashSet<>(2);
    private final Map<AgentKeyId, Long> calls = new HashMap<>(0);
    private final Map<Long, ServiceRequest> requests = new HashMap<>(0);
    private final Map<IdempotencyKey, Replay> replays = new HashMap<>(0);
    private @Nullable IpsVersion ips;
    private @Nullable Portfolio portfolio;
    private Map<AgentKeyId, AgentKey> keys = Map.of();

    LoadedAccount(AccountRow row) {
        this.row = row;
    }

    AccountRow row() {
        return row;
    }

    Map<AgentKeyId, Tally> tallies() {
        return tallies;
    }

    /** Keys whose stored tallies do not tell of their last calls. */
    Set<AgentKeyId> unsaved() {
        return unsaved;
    }

    /** Takes in a decision that the stored row does not tell of. */
    void follow(ChainHead end, AgentKeyId key, Tally stored) {
        row = row.grownTo(end);
        unsaved.add(key);
        tallies.put(key, JournalTail.after(tallies.getOrDefault(key, stored), end.createdAt()));
    }

    /** Whether the statement in force is known, or there is none. */
    boolean recallIps(RevisionCache revisions) {
        ips = revisions.ips().find(row.userId(), row.ipsVersion());
        return ips != null || row.ipsVersion() == 0;
    }

    boolean recallPortfolio(RevisionCache revisions) {
        portfolio = revisions.portfolios().find(row.userId(), row.portfolioRev());
        return portfolio != null || row.portfolioRev() == 0;
    }

    boolean recallKeys(RevisionCache revisions) {
        Map<AgentKeyId, AgentKey> known = revisions.keys().find(row.userId(), row.keysRev());
        keys = known == null ? Map.of() : known;
        return known != null || row.keysRev() == 0;
    }

    void ips(IpsVersion loaded, RevisionCache revisions) {
        ips = loaded;
        revisions.ips().keep(row.userId(), row.ipsVersion(), loaded);
    }

    void portfolio(Portfolio loaded, RevisionCache revisions) {
        portfolio = loaded;
        revisions.portfolios().keep(row.userId(), row.portfolioRev(), loaded);
    }

    void keys(Map<AgentKeyId, AgentKey> loaded, RevisionCache revisions) {
        keys = loaded;
        revisions.keys().keep(row.userId(), row.keysRev(), loaded);
    }

    /** Whether a key is not at hand, which is to be expected only of an account that has as many as are kept. */
    boolean lacks(AgentKeyId key) {
        return keys.size() >= AgentKey.MAX_KEPT && !keys.containsKey(key);
    }

    /** Takes in a key beside those at hand. */
    void key(AgentKey key) {
        Map<AgentKeyId, AgentKey> more = new HashMap<>(keys);
        more.put(key.id(), key);
        keys = Map.copyOf(more);
    }

    /** Whether a key has a daily call cap; to be asked once the keys are known. */
    boolean isCapped(@Nullable AgentKeyId id) {
        AgentKey key = id == null ? null : keys.get(id);
        return key != null && key.policy().dailyCallCap() != null;
    }

    void calls(AgentKeyId key, long counted) {
        calls.put(key, counted);
    }

    void request(ServiceRequest request) {
        requests.put(request.id(), request);
    }

    void replay(Replay replay) {
        replays.put(replay.key(), replay);
    }

    /** The moment of the changes that are made at a time by the clock; it never runs backwards along a chain. */
    Instant now(Instant clock) {
        Instant last = row.head().createdAt();
        return clock.isBefore(last) ? last : clock;
    }

    /** The account for the first change. */
    OpenAccount open(Instant clock, LongSupplier requestIds) {
        return new OpenAccount(
                row,
                unsaved,
                new Account(
                        row.userId(),
                        now(clock),
                        ips,
                        portfolio,
                        keys,
                        row.decided(),
                        tallies,
                        calls,
                        requests,
                        replays,
                        requestIds));
    }
}
