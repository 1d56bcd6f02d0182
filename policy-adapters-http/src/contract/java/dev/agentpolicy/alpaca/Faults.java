package dev.agentpolicy.alpaca;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Decides which calls fail: those that a test names, or a share of all by a seed. Safe for threads. */
public final class Faults {
    private static final int PERCENT = 100;

    private final List<Scripted> scripted = new ArrayList<>();
    private Random random = new Random(0);
    private int percent;
    private int count;

    private record Scripted(String method, String path, Fault fault) {
        boolean concerns(String calledMethod, String calledPath) {
            return calledMethod.equals(method) && calledPath.startsWith(path);
        }
    }

    /** Lets the next calls of a method, to paths that begin so, fail in this order. */
    public synchronized Faults next(String method, String path, Fault... faults) {
        for (Fault fault : faults) {
            scripted.add(new Scripted(method, path, fault));
        }
        return this;
    }

    /** Lets a share of all calls fail, each in a way that the seed decides. */
    public synchronized Faults atRandom(long seed, int percentOfCalls) {
        random = new Random(seed);
        percent = percentOfCalls;
        return this;
    }

    /** Lets no further call fail. */
    public synchronized void stop() {
        percent = 0;
        scripted.clear();
    }

    /** The calls that failed so far. */
    public synchronized int count() {
        return count;
    }

    synchronized Optional<Fault> of(String method, String path) {
        Optional<Fault> fault = decide(method, path);
        fault.ifPresent(happens -> count++);
        return fault;
    }

    private Optional<Fault> decide(String method, String path) {
        for (Scripted each : scripted) {
            if (each.concerns(method, path)) {
                scripted.remove(each);
                return Optional.of(each.fault());
            }
        }
        if (random.nextInt(PERCENT) >= percent) {
            return Optional.empty();
        }
        Fault[] all = Fault.values();
        return Optional.of(all[random.nextInt(all.length)]);
    }
}
