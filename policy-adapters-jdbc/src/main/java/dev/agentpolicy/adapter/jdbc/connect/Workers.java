package dev.agentpolicy.adapter.jdbc.connect;

import com.zaxxer.hikari.HikariDataSource;
import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.adapter.jdbc.dialect.CitusDialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of a cluster, and connections straight to them, so that what concerns one user does not pass the coordinator.
 * Where the shards lie is asked again and again. Until a move is known, the worker that had the shard passes statements on.
 * What cannot be sent to a worker straight goes through the coordinator, until a connection can be opened again.
 */
final class Workers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final long ASKED_AGAIN_MILLIS = 500;

    private final Connections connections;
    private final CitusDialect dialect;
    private final ConnectionSource coordinator;
    /** What is done when the coordinator may be another one than before. */
    private final Runnable whenReconnected;
    /** The connections to the coordinator that were used before. */
    private final Set<Connection> used = Collections.newSetFromMap(new WeakHashMap<>());

    private final Map<String, Worker> known = new ConcurrentHashMap<>();
    /** One thread asks where the shards lie, the other tries workers that could not be reached. */
    private final ScheduledExecutorService threads =
            Executors.newScheduledThreadPool(2, DaemonThreads.named("policy-workers"));
    /** The worker of each lane; null where the coordinator must do. */
    private volatile List<@Nullable Worker> byLane = List.of();

    private Workers(
            Connections connections, CitusDialect dialect, ConnectionSource coordinator, Runnable whenReconnected) {
        this.connections = connections;
        this.dialect = dialect;
        this.coordinator = coordinator;
        this.whenReconnected = whenReconnected;
    }

    /**
     * Asks where the shards lie, now and from now on.
     *
     * @param whenReconnected what is done at the first use of each connection to the coordinator
     * @throws UnusableDatabase if the coordinator does not answer
     */
    static Workers begin(
            Connections connections, CitusDialect dialect, ConnectionSource coordinator, Runnable whenReconnected) {
        Workers workers = new Workers(connections, dialect, coordinator, whenReconnected);
        try {
            workers.ask();
        } catch (SQLException failed) {
            throw new UnusableDatabase(dialect.unreachable(failed), failed);
        }
        workers.known.values().forEach(workers::reach);
        workers.repeat(workers::askAgain);
        workers.repeat(workers::tryAgain);
        return workers;
    }

    /** A worker: its address, as the cluster knows it, and connections to it for the lanes and for everything else. */
    static final class Worker {
        private final String address;
        private final HikariDataSource lanes;
        private final HikariDataSource access;
        /** Whether its users go through the coordinator; so at first, until it was reached once. */
        private volatile boolean isAvoided = true;
        /** Whether the log says that it cannot be reached. */
        private boolean isWarned;
        /** Whether the coordinator cannot reach it either, so that nothing need be tried. */
        private volatile boolean isLost;

        Worker(String address, Connections connections) {
            this.address = address;
            this.lanes = connections.lanes(address);
            this.access = connections.access(address);
        }

        HikariDataSource lanes() {
            return lanes;
        }

        HikariDataSource access() {
            return access;
        }
    }

    /**
     * A connection to the worker of a user, or through the coordinator.
     *
     * @throws SQLException at once if neither this node nor the coordinator can connect to the worker
     */
    Connection connection(UserId user, Function<Worker, HikariDataSource> which, ConnectionSource other)
            throws SQLException {
        List<@Nullable Worker> now = byLane;
        Worker worker = now.get(dialect.lane(user, now.size()));
        if (worker == null || worker.isAvoided) {
            if (worker != null && worker.isLost) {
                // Waiting for it would take connections and threads from the users of others.
                throw new SQLTransientConnectionException("The worker " + worker.address + " is away.");
            }
            return other.getConnection();
        }
        try {
            return which.apply(worker).getConnection();
        } catch (SQLException failed) {
            avoid(worker, failed);
            return other.getConnection();
        }
    }

    /** Connections to each worker that has shards and can be reached straight. */
    List<ConnectionSource> each(Function<Worker, HikariDataSource> which) {
        return byLane.stream()
                .filter(worker -> worker != null && !worker.isAvoided)
                .distinct()
                .<ConnectionSource>map(worker -> which.apply(worker)::getConnection)
                .toList();
    }

    Stream<HikariDataSource> pools() {
        return known.values().stream().flatMap(worker -> Stream.of(worker.lanes, worker.access));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        pools().forEach(HikariDataSource::close);
    }

    private synchronized void avoid(Worker worker, SQLException failed) {
        worker.isAvoided = true;
        if (!worker.isWarned) {
            worker.isWarned = true;
            LOG.warn(
                    "The worker {} cannot be reached straight; what concerns its users goes through the coordinator until it"
                            + " can: {}",
                    worker.address,
                    (failed.getCause() == null ? failed : failed.getCause()).getMessage());
        }
    }

    private synchronized void use(Worker worker) {
        worker.isAvoided = false;
        if (worker.isWarned) {
            worker.isWarned = false;
            LOG.info("The worker {} can be reached straight again", worker.address);
        }
    }

    private void tryAgain() {
        for (Worker worker : known.values()) {
            boolean isInUse = byLane.contains(worker);
            if (worker.isAvoided && isInUse) {
                reach(worker);
                if (!worker.isAvoided) {
                    warnIfNotDurable();
                }
            }
            worker.isLost = isInUse && worker.isAvoided && !isReachedByCoordinator(worker);
        }
    }

    private void reach(Worker worker) {
        try {
            worker.lanes.getConnection().close();
            use(worker);
        } catch (SQLException failed) {
            avoid(worker, failed);
        }
    }

    /** A cluster that is in use is not refused any more. */
    private void warnIfNotDurable() {
        try (Connection connection = coordinator.getConnection()) {
            dialect.requireDurable(connection);
        } catch (SQLException failed) {
            LOG.debug("Whether the workers keep what they commit could not be asked", failed);
        } catch (UnusableDatabase lossy) {
            LOG.error("What is recorded from now on may be lost: {}", lossy.getMessage());
        }
    }

    private boolean isReachedByCoordinator(Worker worker) {
        try (Connection connection = coordinator.getConnection()) {
            return dialect.reaches(connection, worker.address);
        } catch (SQLException failed) {
            LOG.debug("The coordinator could not be asked for the worker {}", worker.address, failed);
            return true;
        }
    }

    private void askAgain() {
        try {
            ask();
        } catch (SQLException failed) {
            LOG.debug("Where the shards lie could not be asked", failed);
        }
    }

    private void ask() throws SQLException {
        List<@Nullable String> addresses;
        try (Connection connection = coordinator.getConnection()) {
            if (used.add(connection.unwrap(Connection.class))) {
                whenReconnected.run();
            }
            addresses = dialect.workers(connection);
        }
        int before = known.size();
        List<@Nullable Worker> found = new ArrayList<>();
        for (String address : addresses) {
            found.add(address == null ? null : known.computeIfAbsent(address, it -> new Worker(it, connections)));
        }
        byLane = found;
        if (before > 0 && known.size() > before) {
            warnIfNotDurable();
        }
    }

    private void repeat(Runnable work) {
        Runnable lasting = () -> {
            try {
                work.run();
            } catch (RuntimeException failed) {
                LOG.warn("The workers could not be looked after now", failed);
            }
        };
        var unused =
                threads.scheduleWithFixedDelay(lasting, ASKED_AGAIN_MILLIS, ASKED_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
}
