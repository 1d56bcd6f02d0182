package dev.agentpolicy.adapter.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;

/**
 * Looks after the file of H2 while it is open. Every commit is a part of the file of its own, of which soon a page or two
 * are in use; until none is, it keeps its place in the file and its description in memory. What is in use of old parts is
 * therefore written again. H2 leaves this to a thread that would also write half of what somebody is about to do (see
 * {@link WriteLock}), so here those who commit do a little of it now and then.
 */
public final class H2File {
    /**
     * For so many more commits nothing is put over a part that is not in use any more. H2 looks for the last commit from a
     * header that it may write once in 20 commits, and takes an older one as the last if what it comes by is gone.
     */
    private static final int VERSIONS_KEPT = 25;

    private static final int USUAL_COMMITS = 128;
    /** What is written again at a time. */
    private static final int BYTES = 256 * 1024;
    /** If there are twice as many parts, four times that, and so on: a description takes some 300 bytes of memory. */
    private static final int MANY = 16_384;

    private static final int MAX_TIMES = 4;
    /** How many times it is tidied until they are counted again; to do so, H2 looks at each of them several times. */
    private static final int COUNTED_EVERY = 16;

    /** Percent of the file that would have to be in use for nothing to be written again. */
    private static final int ALL = 100;

    private final int every;
    private int commits;
    private int times = 1;

    public H2File() {
        this(USUAL_COMMITS);
    }

    /** One that is tidied with every so-many-th commit. */
    public H2File(int every) {
        this.every = every;
    }

    /** Must come before anything is changed, and again whenever the database may have been closed meanwhile. */
    static void protect(Connection connection) throws SQLException {
        find(connection).ifPresent(H2File::protect);
    }

    private static void protect(MVStore store) {
        store.setVersionsToKeep(VERSIONS_KEPT);
    }

    /** To be called with every commit, by whoever has the turn, before the file is synced: that writes it. */
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

    /** Whether the file is open: a write that fails closes it for all its connections. */
    static boolean isOpen(MVStore store) {
        return store.getPanicException() == null && !store.isClosed();
    }

    private static int parts(MVStore store) {
        Map<String, String> info = new HashMap<>();
        store.populateInfo(info::put);
        return Integer.parseInt(info.getOrDefault("info.CHUNK_COUNT", "0"));
    }

    /** Empty when another process has the file, or all is in memory. */
    static Optional<MVStore> find(Connection connection) throws SQLException {
        return connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session
                ? Optional.of(session.getDatabase().getStore().getMvStore()).filter(MVStore::isPersistent)
                : Optional.empty();
    }
}
