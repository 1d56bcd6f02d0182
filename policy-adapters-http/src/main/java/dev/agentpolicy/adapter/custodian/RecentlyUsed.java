package dev.agentpolicy.adapter.custodian;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The entries that were used last, up to a number of them. Safe for threads. */
final class RecentlyUsed<K, V> {
    private static final float LOAD_FACTOR = 0.75f;

    private final Map<K, V> entries;

    RecentlyUsed(int max) {
        this.entries = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > max;
            }
        };
    }

    synchronized Optional<V> find(K key) {
        return Optional.ofNullable(entries.get(key));
    }

    synchronized void put(K key, V value) {
        entries.put(key, value);
    }
}
