package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.PushDevices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Devices that get push notifications, in memory. */
final class InMemoryPushDevices implements PushDevices {
    /** Newest first. */
    private final List<PushDevice> devices = new ArrayList<>();

    private final Map<UserId, Instant> due = new HashMap<>();
    private final Map<UserId, Instant> told = new HashMap<>();
    private final Runnable reach;

    InMemoryPushDevices(Runnable reach) {
        this.reach = reach;
    }

    synchronized void removeAll(UserId user) {
        devices.removeIf(device -> device.user().equals(user));
    }

    @Override
    public synchronized List<PushDevice> add(PushDevice device) {
        reach.run();
        List<PushDevice> gone = new ArrayList<>(devices.stream()
                .filter(other -> other.endpoint().equals(device.endpoint()))
                .filter(other -> !other.user().equals(device.user()))
                .toList());
        devices.removeIf(other -> other.endpoint().equals(device.endpoint()));
        devices.add(0, device);
        gone.addAll(of(device.user()).stream().skip(MAX).toList());
        devices.removeAll(gone);
        return gone;
    }

    @Override
    public synchronized List<PushDevice> of(UserId user) {
        reach.run();
        return devices.stream().filter(device -> device.user().equals(user)).toList();
    }

    @Override
    public synchronized Optional<PushDevice> remove(UserId user, UUID id) {
        Optional<PushDevice> found =
                of(user).stream().filter(device -> device.id().equals(id)).findFirst();
        found.ifPresent(devices::remove);
        return found;
    }

    @Override
    public synchronized List<UserId> due(Instant now, int limit) {
        reach.run();
        return due.entrySet().stream()
                .filter(entry -> !entry.getValue().isAfter(now))
                .sorted(Map.Entry.comparingByValue())
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The settings of a user have changed: when the user is due is decided anew. */
    synchronized void decideAnew(UserId user) {
        due.computeIfPresent(user, (same, at) -> Instant.EPOCH);
    }

    @Override
    public synchronized boolean claim(UserId user, Instant now, boolean isNew, UnaryOperator<@Nullable Instant> next) {
        reach.run();
        if (!isNew && !due.containsKey(user)) {
            return false;
        }
        Instant at = next.apply(told.get(user));
        if (at != null && at.isAfter(now)) {
            due.put(user, at);
            return false;
        }
        due.remove(user);
        told.put(user, now);
        return true;
    }
}
