package dev.agentpolicy.adapter.jdbc.connect;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.agentpolicy.adapter.jdbc.connect.Workers.Worker;
import dev.agentpolicy.adapter.jdbc.dialect.CitusDialect;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The pools of a store. They are replaced together after their database has closed itself.
 *
 * <p>H2 closes a database for good when a write to its file fails, for example because the disk is full. The next
 * connection opens the file again, with everything that was committed. Connections to the closed database still count as
 * valid, and each of them that is used removes the new one from H2's registry, so that the file seems to be locked.
 * Therefore no new connection is opened before every old one is closed.
 */
public final class Pools implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Pools.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long WARNED_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final String CANNOT_CONNECT = "08001";

    private final Connections connections;
    private final Dialect dialect;
    /** Null for a database that is no cluster. */
    private final @Nullable Workers workers;

    private volatile OpenPools open;
    private volatile Runnable whenReopened = () -> {};
    private boolean isClosed;
    private boolean isAway;
    private long triedAt = System.nanoTime() - WARNED_AGAIN_NANOS;

    private Pools(Connections connections, Dialect dialect, OpenPools open) {
        this.connections = connections;
        this.dialect = dialect;
        this.open = open;
        this.workers = dialect instanceof CitusDialect citus
                ? Workers.begin(connections, citus, open.lanes()::getConnection, () -> whenReopened.run())
                : null;
    }

    /**
     * Connects, brings the schema up to date and checks that what is committed stays committed.
     *
     * @throws UnusableDatabase if the service must not start on it; the message says what to do
     */
    public static Pools open(Connections connections, Dialect dialect) {
        return new Pools(connections, dialect, OpenPools.of(connections, dialect, connections::migrate));
    }

    /** Gives connections, which must be closed. */
    @FunctionalInterface
    public interface ConnectionSource {
        Connection getConnection() throws SQLException;

        /** Connections for statements that name this user, or others with the same lane; on a cluster to their worker. */
        default ConnectionSource of(UserId user) {
            return this;
        }

        /** On a cluster, connections to each worker that can be reached straight; otherwise none. */
        default List<ConnectionSource> workers() {
            return List.of();
        }
    }

    /** One connection for each lane. */
    public ConnectionSource lanes() {
        return new Source(OpenPools::lanes, Worker::lanes);
    }

    /** Connections for everything else. */
    public ConnectionSource readers() {
        return new Source(OpenPools::readers, Worker::access);
    }

    /** Connections for authentication, which reads of pages cannot use up. */
    public ConnectionSource access() {
        return new Source(OpenPools::access, Worker::access);
    }

    /** Some of the connections: of which pool to the database as a whole, and of which pool to a worker. */
    private final class Source implements ConnectionSource {
        private final Function<OpenPools, HikariDataSource> which;
        private final Function<Worker, HikariDataSource> direct;

        Source(Function<OpenPools, HikariDataSource> which, Function<Worker, HikariDataSource> direct) {
            this.which = which;
            this.direct = direct;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return take(which);
        }

        @Override
        public ConnectionSource of(UserId user) {
            return workers == null ? this : () -> workers.connection(user, direct, this);
        }

        @Override
        public List<ConnectionSource> workers() {
            return workers == null ? List.of() : workers.each(direct);
        }
    }

    /**
     * Sets what is done after the database was opened again, or the coordinator of a cluster connected to again; it may lack what
     * was read before.
     */
    public void whenReopened(Runnable action) {
        whenReopened = action;
    }

    public int size() {
        return open.lanes().getMaximumPoolSize();
    }

    public List<PoolState> states() {
        OpenPools now = open;
        return Stream.concat(
                        Stream.of(now.lanes(), now.readers(), now.access()),
                        workers == null ? Stream.empty() : workers.pools())
                .map(PoolState::of)
                .toList();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (workers != null) {
            workers.close();
        }
        open.close();
    }

    @SuppressWarnings("ReferenceEquality") // Two sets of pools are never the same.
    private Connection take(Function<OpenPools, HikariDataSource> which) throws SQLException {
        OpenPools now = open;
        if (now.isAlive(dialect)) {
            try {
                Connection connection = which.apply(now).getConnection();
                if (now.isOf(connection, dialect)) {
                    return connection;
                }
                connection.close();
            } catch (SQLException failed) {
                if (now.isAlive(dialect) && now == open) {
                    throw failed;
                }
            }
        }
        return which.apply(reopened(now)).getConnection();
    }

    /** The first thread that finds the database closed opens it again; the others wait. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized OpenPools reopened(OpenPools dead) throws SQLException {
        if (open != dead && open.isAlive(dialect)) {
            return open;
        }
        long sinceLastTry = System.nanoTime() - triedAt;
        if (isClosed || sinceLastTry < PAUSE_NANOS) {
            throw new SQLTransientConnectionException("The database is closed.", CANNOT_CONNECT);
        }
        boolean isNews = !isAway && sinceLastTry >= WARNED_AGAIN_NANOS;
        if (isNews) {
            LOG.warn("The database closed itself after a failure of its file; it is opened again.");
        }
        open.close();
        triedAt = System.nanoTime();
        isAway = true;
        try {
            open = OpenPools.of(connections, dialect, () -> {});
        } catch (UnusableDatabase unusable) {
            throw new SQLTransientConnectionException(
                    "The database cannot be opened again: " + unusable.getMessage(), CANNOT_CONNECT, unusable);
        }
        isAway = false;
        whenReopened.run();
        LOG.atLevel(isNews ? Level.INFO : Level.DEBUG).log("The database is open again.");
        return open;
    }

    /**
     * The pools since the database was last opened.
     *
     * @param database the result of {@link Dialect#database} for their connections
     */
    private record OpenPools(
            HikariDataSource lanes,
            HikariDataSource readers,
            HikariDataSource access,
            @Nullable Object database) {

        static OpenPools of(Connections connections, Dialect dialect, Runnable migration) {
            List<HikariDataSource> opened = new ArrayList<>();
            try {
                HikariDataSource lanes = connections.lanes();
                opened.add(lanes);
                connections.requireDurable(lanes);
                migration.run();
                HikariDataSource readers = connections.readers();
                opened.add(readers);
                HikariDataSource access = connections.access();
                opened.add(access);
                try (Connection connection = lanes.getConnection()) {
                    return new OpenPools(lanes, readers, access, dialect.database(connection));
                }
            } catch (SQLException failed) {
                opened.forEach(HikariDataSource::close);
                throw new UnusableDatabase(dialect.unreachable(failed), failed);
            } catch (RuntimeException failed) {
                opened.forEach(HikariDataSource::close);
                throw failed;
            }
        }

        boolean isAlive(Dialect dialect) {
            return !lanes.isClosed() && (database == null || dialect.isOpen(database));
        }

        boolean isOf(Connection connection, Dialect dialect) throws SQLException {
            return database == null || database == dialect.database(connection);
        }

        /** Returns when every connection is closed. */
        void close() {
            lanes.close();
            readers.close();
            access.close();
        }
    }

    /**
     * The present use of a pool of connections.
     *
     * @param name of the pool
     * @param most how many connections it may have
     * @param active how many connections are in use
     * @param idle how many connections are free
     * @param waiting how many threads wait for a connection
     */
    public record PoolState(String name, int most, int active, int idle, int waiting) {

        static PoolState of(HikariDataSource source) {
            HikariPoolMXBean pool = source.getHikariPoolMXBean();
            return new PoolState(
                    source.getPoolName(),
                    source.getMaximumPoolSize(),
                    pool.getActiveConnections(),
                    pool.getIdleConnections(),
                    pool.getThreadsAwaitingConnection());
        }
    }
}
