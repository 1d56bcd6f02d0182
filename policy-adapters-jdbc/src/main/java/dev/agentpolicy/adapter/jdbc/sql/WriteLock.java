package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.adapter.jdbc.sql.Transactions.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who may change a database now. H2 writes table after table to its file while others go on changing them, so that the
 * file of a killed process can hold half of what somebody was about to do without what undoes it (h2database issue
 * 2080). There nobody changes anything while somebody else does; PostgreSQL needs no such order.
 */
public abstract class WriteLock {
    private static final Map<String, WriteLock> ONE_BY_ONE = new ConcurrentHashMap<>();

    static WriteLock allAtOnce() {
        return new AllAtOnce();
    }

    /** One after the other in the order in which they come, also those of other stores on the same database. */
    static WriteLock oneByOne(String database) {
        return ONE_BY_ONE.computeIfAbsent(database, any -> new OneByOne());
    }

    /**
     * Does work that may change something and commits what it wants to keep.
     *
     * @throws SQLException what the work threw; nothing is left open then that would be in the way of others
     */
    public abstract <T> T during(Connection connection, Work<T> work) throws SQLException;

    private static final class AllAtOnce extends WriteLock {
        @Override
        public <T> T during(Connection connection, Work<T> work) throws SQLException {
            return work.on(connection);
        }
    }

    private static final class OneByOne extends WriteLock {
        private final ReentrantLock lock = new ReentrantLock(true);

        @Override
        public <T> T during(Connection connection, Work<T> work) throws SQLException {
            lock.lock();
            try {
                // The database may have been closed by a write that failed, and opened anew by this connection.
                H2File.protect(connection);
                return work.on(connection);
            } catch (SQLException | RuntimeException failed) {
                rollBack(connection, failed);
                throw failed;
            } finally {
                lock.unlock();
            }
        }

        /** The failure of the work is the one to be told of, whatever becomes of undoing it. */
        private static void rollBack(Connection connection, Exception failed) {
            try {
                connection.rollback();
            } catch (SQLException broken) {
                failed.addSuppressed(broken);
            }
        }
    }
}
