package dev.agentpolicy.domain.agent;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts look-ups of credentials that nobody has, by client address and second. An address that keeps presenting made-up
 * credentials is refused without asking the store again, so that guessing costs the store nothing.
 *
 * <p>A credential that is known from memory is not affected. Thread-safe; every call takes constant time.
 */
public final class LookupThrottle {
    /** Unknown credentials of one address in one second; those beyond are not looked up. */
    public static final int MAX_UNKNOWN_PER_SECOND = 50;

    private static final int MAX_ADDRESSES = 10_000;

    /** In the order of their last unknown credential; who had none for longest is forgotten first. */
    private final Map<String, Unknown> byAddress = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Unknown> eldest) {
            return size() > MAX_ADDRESSES;
        }
    };

    private record Unknown(long second, int count) {}

    /** One that has counted nothing yet. */
    public LookupThrottle() {}

    /** Whether an address has presented as many unknown credentials in this second as are looked up. */
    public synchronized boolean isUsedUp(String address, Instant now) {
        Unknown unknown = byAddress.get(address);
        return unknown != null && unknown.second() == now.getEpochSecond() && unknown.count() >= MAX_UNKNOWN_PER_SECOND;
    }

    /** Counts a credential of an address that was looked up and found to be nobody's. */
    public synchronized void count(String address, Instant now) {
        long second = now.getEpochSecond();
        Unknown before = byAddress.remove(address);
        int counted = before != null && before.second() == second ? before.count() : 0;
        byAddress.put(address, new Unknown(second, counted + 1));
    }
}
