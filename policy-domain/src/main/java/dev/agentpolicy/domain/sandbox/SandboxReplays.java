package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency records of all test keys, in memory. When there are too many, the key with the most loses its oldest
 * tenth, so that a key which sends many proposals does not displace the records of others. Thread-safe.
 */
final class SandboxReplays {
    /** Maximum number of records, about 9 MB. */
    static final int MAX_SIZE = 15_000;

    private static final int REMOVED_FRACTION = 10;

    private final Map<AgentKeyId, Map<IdempotencyKey, Replay>> byAgentKey = new HashMap<>();
    private final AtomicInteger size = new AtomicInteger();

    /** The record of an idempotency key; an empty map when there is none. */
    synchronized Map<IdempotencyKey, Replay> of(@Nullable IdempotencyKey key) {
        Replay replay = key == null
                ? null
                : byAgentKey.getOrDefault(key.agentKeyId(), Map.of()).get(key);
        return replay == null ? Map.of() : Map.of(replay.key(), replay);
    }

    synchronized void keep(Replay replay, Instant now) {
        Map<IdempotencyKey, Replay> mine =
                byAgentKey.computeIfAbsent(replay.key().agentKeyId(), any -> new LinkedHashMap<>());
        removeEnded(mine, now);
        if (mine.put(replay.key(), replay) == null) {
            size.incrementAndGet();
        }
        if (size() > MAX_SIZE) {
            byAgentKey.values().forEach(one -> removeEnded(one, now));
            byAgentKey.values().removeIf(Map::isEmpty);
        }
        if (size() > MAX_SIZE) {
            byAgentKey.values().stream().max(Comparator.comparing(Map::size)).ifPresent(this::removeOldest);
        }
    }

    int size() {
        return size.get();
    }

    private void removeEnded(Map<IdempotencyKey, Replay> replays, Instant now) {
        Iterator<Replay> oldestFirst = replays.values().iterator();
        while (oldestFirst.hasNext() && oldestFirst.next().isOver(now)) {
            oldestFirst.remove();
            size.decrementAndGet();
        }
    }

    private void removeOldest(Map<IdempotencyKey, Replay> replays) {
        Iterator<Replay> oldestFirst = replays.values().iterator();
        for (int left = Math.max(1, replays.size() / REMOVED_FRACTION); left > 0; left--) {
            oldestFirst.next();
            oldestFirst.remove();
            size.decrementAndGet();
        }
    }
}
