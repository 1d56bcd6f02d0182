package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.sql.DaemonThreads;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One writer: while it commits, others queue; what has queued is its next batch. */
final class Lane {
    static final int MAX_CHANGES = 256;
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final long IDLE_MILLIS = 200;

    private final BlockingQueue<PendingChange<?>> queue;
    private final GroupCommit commit;
    private final Thread writer;
    private final Set<UserId> written = new LinkedHashSet<>();
    private volatile boolean isClosing;
    private volatile boolean isClosed;
    private volatile long writingSince;

    Lane(String name, int capacity, GroupCommit commit) {
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.commit = commit;
        this.writer = DaemonThreads.named(name).newThread(this::run);
        writer.start();
    }

    void submit(PendingChange<?> waiting) {
        if (isClosing) {
            waiting.fail(closed());
        } else if (!queue.offer(waiting)) {
            waiting.fail(
                    new Unavailable("Too many changes wait already; nothing was recorded. Try again in a moment."));
        } else if (isClosed && queue.remove(waiting)) {
            waiting.fail(closed());
        }
    }

    int depth() {
        return queue.size();
    }

    /** Nanoseconds the oldest change waits that is not yet committed; 0 when none does. */
    long oldestNanos() {
        PendingChange<?> head = queue.peek();
        long since = writingSince != 0 ? writingSince : head == null ? 0 : head.since();
        return since == 0 ? 0 : Math.max(0, System.nanoTime() - since);
    }

    /** Takes nothing more; {@link #awaitEnd} waits until what was taken is recorded. */
    void close() {
        isClosing = true;
    }

    void awaitEnd() {
        try {
            writer.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        isClosed = true;
        List<PendingChange<?>> late = new ArrayList<>();
        queue.drainTo(late);
        late.forEach(waiting -> waiting.fail(closed()));
    }

    private void run() {
        while (!isClosing || !queue.isEmpty()) {
            PendingChange<?> first = next();
            if (first != null) {
                List<PendingChange<?>> batch = new ArrayList<>();
                batch.add(first);
                queue.drainTo(batch, MAX_CHANGES - 1);
                writingSince = first.since();
                record(batch);
                writingSince = 0;
                note(batch);
            } else {
                settle();
            }
        }
    }

    /** Whose accounts may be written again later; no more than are remembered. */
    private void note(List<PendingChange<?>> batch) {
        if (written.size() < AccountCache.MAX_SIZE) {
            batch.forEach(waiting -> written.add(waiting.user()));
        }
    }

    /** While nobody waits; what is not done this time is done the next. */
    private void settle() {
        if (commit.isStopped()) {
            return;
        }
        List<UserId> some = written.stream().limit(MAX_CHANGES).toList();
        List<PendingChange<?>> settling = commit.settling(some);
        if (!settling.isEmpty()) {
            record(settling);
        }
        some.forEach(written::remove);
    }

    /** Whatever happens, the lane goes on and everybody is answered. */
    private void record(List<PendingChange<?>> batch) {
        try {
            commit.record(batch);
        } catch (RuntimeException | Error broken) {
            LOG.error("A group commit failed; its callers are told so.", broken);
            batch.forEach(waiting -> waiting.fail(broken));
        }
    }

    private @Nullable PendingChange<?> next() {
        try {
            return queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            isClosing = true;
            return null;
        }
    }

    private static Unavailable closed() {
        return new Unavailable("The service is shutting down; nothing was recorded.");
    }
}
