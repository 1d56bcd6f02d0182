package dev.agentpolicy.domain.port;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A schedule of syncs in memory. */
public final class InMemorySyncSchedule implements SyncSchedule {
    private final Map<CustodianRef, Entry> entries = new HashMap<>();

    private record Entry(Instant dueAt, @Nullable UUID holder, Instant heldUntil) {}

    /** Adds a custodian that is due at once. */
    public synchronized void add(CustodianRef custodian) {
        entries.put(custodian, new Entry(Instant.EPOCH, null, Instant.EPOCH));
    }

    /** Removes a custodian; false when there is none. */
    public synchronized boolean remove(CustodianRef custodian) {
        return entries.remove(custodian) != null;
    }

    @Override
    public synchronized List<CustodianRef> claim(UUID node, Instant now, Duration lease, Instant nextDue, int limit) {
        List<CustodianRef> due = new ArrayList<>(entries.entrySet().stream()
                .filter(entry -> !entry.getValue().dueAt.isAfter(now))
                .filter(entry -> !entry.getValue().heldUntil.isAfter(now))
                .sorted(Comparator.comparing(entry -> entry.getValue().dueAt))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList());
        due.forEach(custodian -> entries.put(custodian, new Entry(nextDue, node, now.plus(lease))));
        return due;
    }

    @Override
    public synchronized boolean release(UUID node, CustodianRef custodian) {
        Entry entry = entries.get(custodian);
        boolean isHeld = entry != null && node.equals(entry.holder);
        if (isHeld) {
            entries.put(custodian, new Entry(entry.dueAt, null, Instant.EPOCH));
        }
        return isHeld;
    }

    @Override
    public synchronized boolean sooner(CustodianRef custodian, Instant dueAt) {
        Entry entry = entries.get(custodian);
        boolean isLater = entry != null && entry.dueAt.isAfter(dueAt);
        if (isLater) {
            entries.put(custodian, new Entry(dueAt, entry.holder, entry.heldUntil));
        }
        return isLater;
    }

    @Override
    public synchronized void allDue(Instant now) {
        entries.replaceAll((custodian, entry) -> entry.heldUntil.isAfter(now) || !entry.dueAt.isAfter(now)
                ? entry
                : new Entry(now, entry.holder, entry.heldUntil));
    }
}
