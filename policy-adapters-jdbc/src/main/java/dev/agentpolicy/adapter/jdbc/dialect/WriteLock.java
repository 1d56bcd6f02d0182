package dev.agentpolicy.adapter.jdbc.dialect;

import dev.agentpolicy.adapter.jdbc.dialect.H2Dialect.H2File;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock under which a database is changed. H2 writes one table after the other to its file while other transactions
 * change them, so that the file of a killed process can contain half of a transaction without its undo log (h2database
 * issue 2080). On H2 there is therefore one writer at a time. On PostgreSQL the lock does nothing.
 */
public final class WriteLock {
    private static final Map<String, WriteLock> EXCLUSIVE = new ConcurrentHashMap<>();

    private final @Nullable ReentrantLock lock;

    private WriteLock(@Nullable ReentrantLock lock) {
        this.lock = lock;
    }

    static WriteLock none() {
        return new WriteLock(null);
    }

    /** A fair lock, shared by all stores of this process on the same database. */
    static WriteLock exclusive(String database) {
        return EXCLUSIVE.computeIfAbsent(database, any -> new WriteLock(new ReentrantLock(true)));
    }

    /** Work on a connection; in a transaction it may be done several times. */
    @FunctionalInterface
    public interface ConnectionWork<T> {
        T on(Connection connection) throws SQLException;
    }

    /**
     * Does work that may change something, and that commits itself, under the lock.
     *
     * @throws SQLException what the work threw; its transaction is then rolled back
     */
    public <T> T during(Connection connection, ConnectionWork<T> work) throws SQLException {
        if (lock == null) {
            return work.on(connection);
        }
        lock.lock();
        try {
            // A failed write may have closed the database, and this connection may have opened it again.
            H2File.protect(connection);
            return work.on(connection);
        } catch (SQLException | RuntimeException failed) {
            rollBack(connection, failed);
            throw failed;
        } finally {
            lock.unlock();
        }
    }

    /** A failure to roll back does not hide the failure of the work. */
    private static void rollBack(Connection connection, Exception failed) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failed.addSuppressed(broken);
        }
    }
}
