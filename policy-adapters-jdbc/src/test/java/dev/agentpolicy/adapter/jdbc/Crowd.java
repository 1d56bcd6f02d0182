package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import dev.agentpolicy.domain.port.CallCounterContract;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Threads that call in real time under one name as often as they can, a little apart, and keep count themselves. */
public final class Crowd {
    private final int size;
    private final String name;
    private final IntFunction<CallCounter> counterOf;
    private final ConcurrentSkipListMap<Long, AtomicLong> admitted = new ConcurrentSkipListMap<>();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();

    public Crowd(int size, String name, IntFunction<CallCounter> counterOf) {
        this.size = size;
        this.name = name;
        this.counterOf = counterOf;
    }

    public void callFor(Duration duration) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            CallCounter counter = counterOf.apply(i);
            threads.add(new Thread(() -> callUntil(end, counter)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void callUntil(long end, CallCounter counter) {
        while (System.nanoTime() < end) {
            Instant now = Instant.now();
            long begun = System.nanoTime();
            RateBudget budget = CallCounterContract.counted(counter, name, now);
            longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
            calls.incrementAndGet();
            if (budget.isAdmitted()) {
                admitted.computeIfAbsent(now.getEpochSecond(), any -> new AtomicLong())
                        .incrementAndGet();
            } else {
                refused.incrementAndGet();
            }
            pause();
        }
    }

    public long admittedIn(long second) {
        AtomicLong count = admitted.get(second);
        return count == null ? 0 : count.get();
    }

    long refused() {
        return refused.get();
    }

    long calls() {
        return calls.get();
    }

    Duration longest() {
        return Duration.ofNanos(longestNanos.get());
    }

    /** The whole seconds: in the first and the last one not everybody was there all the time. */
    public List<Long> secondsBetweenFirstAndLast() {
        return admitted.isEmpty()
                ? List.of()
                : List.copyOf(admitted.subMap(admitted.firstKey(), false, admitted.lastKey(), false)
                        .keySet());
    }

    private static void pause() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
