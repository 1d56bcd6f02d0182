package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes accounts by group commit. The changes of one user go through one lane of this node, in their order. */
public final class JdbcAccounts implements Accounts, AutoCloseable {
    private final Dialect dialect;
    private final List<Lane> lanes;
    private final Supplier<Optional<String>> stop;
    private final Predicate<UserId> isHeld;

    /**
     * Starts the lanes.
     *
     * @param queue how many changes may wait in each lane
     * @param stop gives the reason why nothing is to be changed for the time being, if there is one
     * @param isHeld whether an account is not to be changed for the time being
     */
    public JdbcAccounts(
            Dialect dialect,
            int lanes,
            int queue,
            GroupCommit commit,
            Supplier<Optional<String>> stop,
            Predicate<UserId> isHeld) {
        this.dialect = dialect;
        this.stop = stop;
        this.isHeld = isHeld;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(i -> new Lane("policy-lane-" + i, queue, commit))
                .toList();
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        return submit(() -> PendingChange.of(user, change));
    }

    /** Continues the chain of an account with the present signing key, if another key must sign its next row. */
    public CompletionStage<Boolean> rollover(UserId user) {
        return submit(() -> PendingChange.rollover(user));
    }

    private <R> CompletionStage<R> submit(Supplier<PendingChange<R>> making) {
        Optional<String> reason = stop.get();
        if (reason.isPresent()) {
            return CompletableFuture.failedFuture(Unavailable.stopped(reason.get()));
        }
        PendingChange<R> waiting;
        try {
            waiting = making.get();
        } catch (RuntimeException wrong) {
            return CompletableFuture.failedFuture(wrong);
        }
        if (isHeld.test(waiting.user())) {
            return CompletableFuture.failedFuture(new Unavailable(
                    "This account is still to be compared with the records of this node; nothing was recorded."));
        }
        lane(waiting.user()).submit(waiting);
        return waiting.answer();
    }

    /** How many changes wait in all lanes. */
    public int depth() {
        return lanes.stream().mapToInt(Lane::depth).sum();
    }

    /** How long the oldest change has been waiting for its commit; zero if none waits. */
    public Duration oldest() {
        return Duration.ofNanos(
                lanes.stream().mapToLong(Lane::oldestNanos).max().orElse(0));
    }

    /** Refuses new changes; returns when those it has accepted are recorded and their answers are on their way. */
    @Override
    public void close() {
        lanes.forEach(Lane::close);
        lanes.forEach(Lane::awaitEnd);
    }

    private Lane lane(UserId user) {
        return lanes.get(dialect.lane(user, lanes.size()));
    }

    /** A bounded queue with one writer thread. What has queued during a commit is the next batch. */
    static final class Lane {
        static final int MAX_CHANGES = 256;
        private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
        private static final long IDLE_MILLIS = 200;

        private final BlockingQueue<PendingChange<?>> queue;
        private final GroupCommit commit;
        private final Thread writer;
        /** Users with changes since the last idle moment; their snapshots may be behind. */
        private final Set<UserId> changed = new LinkedHashSet<>();

        private volatile boolean isClosing;
        private volatile boolean isClosed;
        private volatile long writingSince;

        Lane(String name, int capacity, GroupCommit commit) {
            this.queue = new ArrayBlockingQueue<>(capacity);
            this.commit = commit;
            this.writer = DaemonThreads.named(name).newThread(this::run);
            writer.start();
        }

        /** Queues a change; fails it if the queue is full or the lane is closing. */
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

        /** How many nanoseconds the oldest change has been waiting for its commit; 0 if none waits. */
        long oldestNanos() {
            PendingChange<?> head = queue.peek();
            long since = writingSince != 0 ? writingSince : head == null ? 0 : head.since();
            return since == 0 ? 0 : Math.max(0, System.nanoTime() - since);
        }

        /** Refuses new changes; {@link #awaitEnd} waits until those that were accepted are recorded. */
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
                    noteUsers(batch);
                } else {
                    checkpoint();
                }
            }
        }

        /** Bounded, as the cache is: without a cached account there is no known tail. */
        private void noteUsers(List<PendingChange<?>> batch) {
            if (changed.size() < AccountCache.MAX_SIZE) {
                batch.forEach(waiting -> changed.add(waiting.user()));
            }
        }

        /** Writes snapshots that are behind while the lane is idle, at most one batch at a time. */
        private void checkpoint() {
            if (commit.isStopped()) {
                return;
            }
            List<UserId> users = changed.stream().limit(MAX_CHANGES).toList();
            List<PendingChange<?>> checkpoints = commit.checkpoints(users);
            if (!checkpoints.isEmpty()) {
                record(checkpoints);
            }
            users.forEach(changed::remove);
        }

        /** Whatever happens, the lane goes on and every caller is answered. */
        private void record(List<PendingChange<?>> batch) {
            try {
                commit.record(batch);
            } catch (RuntimeException | Error broken) {
                LOG.error("A group commit failed; its callers were told.", broken);
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
}
