package dev.agentpolicy.app.guard;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the heads of the chains that this node extends outside of the database (docs/reliability.md, A database that was
 * put back). A commit only replaces the head of its chain in memory. A thread writes the new heads to the file twice
 * a second and syncs it at most once a second. A full or missing disk does not stop commits: the heads stay in memory,
 * and there is a warning.
 */
public final class HeadJournal implements Consumer<ChainHead>, AutoCloseable {
    static final int MAX_WAITING = 100_000;
    private static final Logger LOG = LoggerFactory.getLogger(HeadJournal.class);
    private static final long PAUSE_MILLIS = 500;
    private static final long SYNC_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Of text; some 25 MB of heap while it is compacted. */
    private static final long BUCKET_BYTES = 8L * 1024 * 1024;

    private final Map<UserId, ChainHead> waiting = new ConcurrentHashMap<>();
    private final AtomicLong dropped = new AtomicLong();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> WorkerPool.daemon("heads", task));
    private volatile @Nullable HeadFile file;
    private boolean isUnsynced;
    private boolean isFailing;
    private long syncedAt = System.nanoTime() - SYNC_PAUSE_NANOS;

    /**
     * Begins to write, into the first file of the installation that no other node has. When the directory cannot be written
     * to there is a warning, and nothing is recorded.
     */
    void begin(HeadFiles files, UUID installation) {
        try {
            HeadFiles.Claimed claimed = files.claim(installation);
            file = HeadFile.open(claimed.path(), claimed.lock(), BUCKET_BYTES);
            WorkerPool.repeat(thread, this::round, PAUSE_MILLIS, PAUSE_MILLIS);
        } catch (IOException failed) {
            LOG.warn(
                    "The directory {} cannot be written to, so a database that is put back to an older state will not be"
                            + " noticed; set POLICY_STATE_DIR to a directory that can: {}",
                    files.directory(),
                    failed.toString());
        }
    }

    /** Takes note of a head that is durable in the database. */
    @Override
    public void accept(ChainHead head) {
        if (file == null) {
            return;
        }
        if (waiting.size() < MAX_WAITING || waiting.containsKey(head.userId())) {
            waiting.put(head.userId(), head);
        } else {
            dropped.incrementAndGet();
        }
    }

    /** Heads that are not written yet. */
    int depth() {
        return waiting.size();
    }

    private void round() {
        HeadFile open = file;
        if (open != null) {
            try {
                write(open);
                recovered();
            } catch (IOException | RuntimeException failed) {
                failed(failed);
            }
        }
    }

    private void write(HeadFile open) throws IOException {
        List<ChainHead> heads = new ArrayList<>(waiting.values());
        if (!heads.isEmpty()) {
            open.append(heads);
            isUnsynced = true;
            heads.forEach(head -> waiting.remove(head.userId(), head));
        }
        if (isUnsynced && System.nanoTime() - syncedAt >= SYNC_PAUSE_NANOS) {
            sync(open);
        }
        if (open.isToBeCompacted()) {
            open.compact();
        }
    }

    private void sync(HeadFile open) throws IOException {
        syncedAt = System.nanoTime();
        open.force();
        isUnsynced = false;
    }

    private void recovered() {
        if (isFailing) {
            isFailing = false;
            LOG.info("The heads of chains are recorded again; {} were left out meanwhile", dropped.getAndSet(0));
        }
    }

    private void failed(Exception failed) {
        if (!isFailing) {
            isFailing = true;
            LOG.warn(
                    "The heads of chains cannot be recorded, which is tried again and stops nothing else: {}",
                    failed.toString());
        }
    }

    /** Writes and syncs what waits; to be called when the lanes have ended. */
    @Override
    public void close() {
        WorkerPool.finish(thread);
        HeadFile open = file;
        file = null;
        if (open != null) {
            try (open) {
                write(open);
                sync(open);
            } catch (IOException failed) {
                failed(failed);
            }
        }
    }
}
