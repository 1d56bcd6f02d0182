package dev.agentpolicy.adapter.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;

/**
 * Compacts the file of H2 while it is open. Every commit adds a chunk to the file. Soon only a page or two of a chunk are in
 * use, but it keeps its place in the file and its description in memory until none is. So pages in use are moved out of old
 * chunks. The thread that H2 has for this would also write half of a transaction under way (see {@link WriteLock}), so
 * every commit does a little of it instead.
 */
public final class H2File {
    /**
     * How many commits a chunk that is no longer in use is kept. H2 finds the last commit from a header that it may
     * write once in 20 commits, and takes an older commit for the last if a chunk on the way is gone.
     */
    private static final int VERSIONS_KEPT = 25;

    private static final int DEFAULT_COMMITS = 128;
    /** How much is moved at a time. */
    private static final int BYTES = 256 * 1024;
    /** With twice as many chunks four times as much is moved, and so on; a chunk takes some 300 bytes of memory. */
    private static final int MANY = 16_384;

    private static final int MAX_TIMES = 4;
    /** How often it compacts until it counts the chunks again, which reads each several times. */
    private static final int COUNTED_EVERY = 16;

    /** The fill rate in percent at which there is nothing to compact. */
    private static final int ALL = 100;

    private final int every;
    private int commits;
    private int times = 1;

    public H2File() {
        this(DEFAULT_COMMITS);
    }

    /** Compacts every so many commits. */
    public H2File(int every) {
        this.every = every;
    }

    /** Must be called before anything is changed, and again after the database may have been closed. */
    static void protect(Connection connection) throws SQLException {
        find(connection).ifPresent(H2File::protect);
    }

    private static void protect(MVStore store) {
        store.setVersionsToKeep(VERSIONS_KEPT);
    }

    /** Must be called after every commit, under the write lock, before the file is synced. */
    void tidy(Connection connection) throws SQLException {
        commits++;
        find(connection).ifPresent(store -> {
            protect(store);
            if (commits % every == 0) {
                write(store);
            }
        });
    }

    private void write(MVStore store) {
        if (commits / every % COUNTED_EVERY == 0) {
            times = Math.min(MAX_TIMES, Math.max(1, parts(store) / MANY));
        }
        store.compact(ALL, BYTES * times * times);
    }

    /** Whether the file is open; a write that fails closes it for all connections. */
    static boolean isOpen(MVStore store) {
        return store.getPanicException() == null && !store.isClosed();
    }

    private static int parts(MVStore store) {
        Map<String, String> info = new HashMap<>();
        store.populateInfo(info::put);
        return Integer.parseInt(info.getOrDefault("info.CHUNK_COUNT", "0"));
    }

    /** Empty if another process has the file, or the database is in memory. */
    static Optional<MVStore> find(Connection connection) throws SQLException {
        return connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session
                ? Optional.of(session.getDatabase().getStore().getMvStore()).filter(MVStore::isPersistent)
                : Optional.empty();
    }
}
