package dev.agentpolicy.app.guard;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records outside of the database where the chains end that this node extended last (docs/reliability.md, A database that
 * was put back). A database that goes back lacks the newest rows, so the newest heads are enough to find that out.
 *
 * <p>A commit only replaces the head of its chain in memory. Twice a second a thread writes the heads into a new file,
 * syncs it and puts it in the place of the old one, which is therefore whole at any time. A full or missing disk does not
 * stop commits: the heads stay in memory, and there is a warning.
 */
public final class HeadRing implements Consumer<ChainHead>, AutoCloseable {
    /** Of chains; a file has at most one and a half megabytes. */
    static final int MAX_HEADS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(HeadRing.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Map<UserId, ChainHead> waiting = new ConcurrentHashMap<>();
    /** The last rows of the chains in the lines, and of those that wait. */
    private final Map<UserId, Long> recorded = new ConcurrentHashMap<>();
    /** The lines of the file, oldest first; used by one thread at a time. */
    private final Map<UserId, String> lines = new LinkedHashMap<>();

    private final Scheduler thread = new Scheduler("heads");
    private volatile @Nullable Path file;
    private @Nullable Closeable lock;
    private boolean isWritten;
    private boolean isFailing;

    /**
     * Begins to write, into the first file of the installation that no other node has. When the directory cannot be written
     * to there is a warning, and nothing is recorded.
     */
    void begin(HeadFiles files, UUID installation) {
        try {
            HeadFiles.Claimed claimed = files.claim(installation);
            lock = claimed.lock();
            if (Files.exists(claimed.path())) {
                HeadFiles.each(claimed.path(), this::add);
            }
            file = claimed.path();
            thread.repeat("Recording heads", PAUSE, PAUSE, this::round);
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
        if (file != null && (waiting.size() < MAX_HEADS || waiting.containsKey(head.userId()))) {
            recorded.merge(head.userId(), head.seq(), Math::max);
            waiting.put(head.userId(), head);
        }
    }

    /** The last row of a chain that this node recorded, 0 if none: a database that has less was put back. */
    public long recorded(UserId user) {
        return recorded.getOrDefault(user, 0L);
    }

    private void round() {
        Path path = file;
        if (path == null) {
            return;
        }
        for (ChainHead head : List.copyOf(waiting.values())) {
            add(head);
            waiting.remove(head.userId(), head);
            isWritten = false;
        }
        if (isWritten) {
            return;
        }
        try {
            OwnerOnlyFiles.replace(path, String.join("", lines.values()));
            isWritten = true;
            if (isFailing) {
                isFailing = false;
                LOG.info("The heads of chains are recorded again");
            }
        } catch (IOException failed) {
            if (!isFailing) {
                isFailing = true;
                LOG.warn(
                        "The heads of chains cannot be recorded, which is tried again and stops nothing else: {}",
                        failed.toString());
            }
        }
    }

    /** Makes a head the newest, and drops the oldest one if there are too many. */
    private void add(ChainHead head) {
        recorded.merge(head.userId(), head.seq(), Math::max);
        lines.remove(head.userId());
        lines.put(head.userId(), HeadFiles.line(head));
        if (lines.size() > MAX_HEADS) {
            Iterator<UserId> oldest = lines.keySet().iterator();
            recorded.remove(oldest.next());
            oldest.remove();
        }
    }

    /** Writes what waits; to be called when the lanes have ended. */
    @Override
    public void close() throws IOException {
        thread.close();
        round();
        file = null;
        if (lock != null) {
            lock.close();
        }
    }
}
