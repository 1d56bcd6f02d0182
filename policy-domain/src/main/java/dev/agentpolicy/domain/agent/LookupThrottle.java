package dev.agentpolicy.domain.agent;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits look-ups of unknown credentials, per client address and second. An address that keeps presenting made-up
 * credentials is refused without a query, so that guessing does not load the store.
 *
 * <p>Credentials that are cached are not affected. Thread-safe; every call takes constant time.
 */
public final class LookupThrottle {
    /** Unknown credentials that are looked up for one address in one second. */
    public static final int MAX_UNKNOWN_PER_SECOND = 50;

    private static final int MAX_ADDRESSES = 10_000;

    /** In the order of the last unknown credential; the address whose last one is oldest is forgotten first. */
    private final Map<String, Unknown> byAddress = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Unknown> eldest) {
            return size() > MAX_ADDRESSES;
        }
    };

    private record Unknown(long second, int count) {}

    /** A throttle that has counted nothing yet. */
    public LookupThrottle() {}

    /** Whether an address has reached {@link #MAX_UNKNOWN_PER_SECOND} in this second. */
    public synchronized boolean isUsedUp(String address, Instant now) {
        Unknown unknown = byAddress.get(address);
        return unknown != null && unknown.second() == now.getEpochSecond() && unknown.count() >= MAX_UNKNOWN_PER_SECOND;
    }

    /** Counts a look-up that found no key. */
    public synchronized void count(String address, Instant now) {
        long second = now.getEpochSecond();
        Unknown before = byAddress.remove(address);
        int counted = before != null && before.second() == second ? before.count() : 0;
        byAddress.put(address, new Unknown(second, counted + 1));
    }
}
