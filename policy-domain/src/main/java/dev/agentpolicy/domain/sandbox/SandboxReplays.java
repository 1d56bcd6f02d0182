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
 * What the proposals of all test keys created, for as long as it can be replayed. When there are too many, whoever has the
 * most loses the oldest tenth, so that a flood of one key costs no other its replays.
 */
final class SandboxReplays {
    /** At most some 9 MB. */
    static final int MAX = 15_000;

    private static final int SHARE_LOST = 10;

    private final Map<AgentKeyId, Map<IdempotencyKey, Replay>> ofKeys = new HashMap<>();
    private final AtomicInteger size = new AtomicInteger();

    /** The one of a key, if there is one. */
    synchronized Map<IdempotencyKey, Replay> of(@Nullable IdempotencyKey key) {
        Replay replay = key == null
                ? null
                : ofKeys.getOrDefault(key.agentKeyId(), Map.of()).get(key);
        return replay == null ? Map.of() : Map.of(replay.key(), replay);
    }

    synchronized void keep(Replay replay, Instant now) {
        Map<IdempotencyKey, Replay> mine =
                ofKeys.computeIfAbsent(replay.key().agentKeyId(), any -> new LinkedHashMap<>());
        removeOver(mine, now);
        if (mine.put(replay.key(), replay) == null) {
            size.incrementAndGet();
        }
        if (size() > MAX) {
            ofKeys.values().forEach(one -> removeOver(one, now));
            ofKeys.values().removeIf(Map::isEmpty);
        }
        if (size() > MAX) {
            ofKeys.values().stream().max(Comparator.comparing(Map::size)).ifPresent(this::removeOldest);
        }
    }

    int size() {
        return size.get();
    }

    private void removeOver(Map<IdempotencyKey, Replay> replays, Instant now) {
        Iterator<Replay> oldestFirst = replays.values().iterator();
        while (oldestFirst.hasNext() && oldestFirst.next().isOver(now)) {
            oldestFirst.remove();
            size.decrementAndGet();
        }
    }

    private void removeOldest(Map<IdempotencyKey, Replay> replays) {
        Iterator<Replay> oldestFirst = replays.values().iterator();
        for (int left = Math.max(1, replays.size() / SHARE_LOST); left > 0; left--) {
            oldestFirst.next();
            oldestFirst.remove();
            size.decrementAndGet();
        }
    }
}
