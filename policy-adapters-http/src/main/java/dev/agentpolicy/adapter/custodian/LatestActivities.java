package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was last read of orders and fills, for accounts in which little happens. If a sync reads the same again, nothing
 * happened since, and need not be read before cash and positions as well as after them. Safe for threads.
 */
final class LatestActivities {
    private static final int MAX_ACCOUNTS = 5_000;
    /** Orders and fills of an account. */
    private static final int MAX_ITEMS = 100;

    private static final float LOAD_FACTOR = 0.75f;

    private final Map<AccountKey, AccountActivity> latest = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<AccountKey, AccountActivity> eldest) {
            return size() > MAX_ACCOUNTS;
        }
    };

    /**
     * What activity was read for.
     *
     * @param account differs for other credentials, see {@link AlpacaClient#key}
     * @param since from when on fills were read
     */
    record AccountKey(UserId user, String custodian, Object account, Instant since) {}

    synchronized Optional<AccountActivity> find(AccountKey key) {
        return Optional.ofNullable(latest.get(key));
    }

    synchronized void put(AccountKey key, AccountActivity activity) {
        int items = activity.open().size()
                + activity.ours().size()
                + activity.fills().size();
        if (items <= MAX_ITEMS && activity.isComplete()) {
            latest.put(key, activity);
        }
    }
}
