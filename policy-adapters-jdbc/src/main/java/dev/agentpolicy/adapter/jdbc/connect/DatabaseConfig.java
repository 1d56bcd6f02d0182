package dev.agentpolicy.adapter.jdbc.connect;

import dev.agentpolicy.domain.port.RandomSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How to open a store.
 *
 * @param url of H2 or PostgreSQL
 * @param user null where the URL says it or none is needed
 * @param password null where the URL says it or none is needed
 * @param workers where to reach the workers of a cluster, as {@code host:port}, by the address that the cluster has for each;
 *     those that are not here are reached at that address
 * @param lanes writer threads of this node; 0 for the default of the database
 * @param readers how many connections there are for everything but changing accounts
 * @param queue how many changes may wait in a lane; more are refused at once
 * @param patience how long a change may wait for a database that is away
 * @param clock gives events their time
 * @param random gives events their ids and salts
 * @param observer is called after commits
 * @param stop gives the reason why nothing is to be written for the time being; empty normally. It is asked before each
 *     change
 */
public record DatabaseConfig(
        String url,
        @Nullable String user,
        @Nullable String password,
        Map<String, String> workers,
        int lanes,
        int readers,
        int queue,
        Duration patience,
        InstantSource clock,
        RandomSource random,
        CommitObserver observer,
        Supplier<Optional<String>> stop) {
    public static final int DEFAULT_READERS = 8;
    public static final int DEFAULT_QUEUE = 4_096;
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(5);

    /** A store with the default sizes. */
    public static DatabaseConfig of(
            String url, @Nullable String user, @Nullable String password, InstantSource clock, RandomSource random) {
        return new DatabaseConfig(
                url,
                user,
                password,
                Map.of(),
                0,
                DEFAULT_READERS,
                DEFAULT_QUEUE,
                DEFAULT_PATIENCE,
                clock,
                random,
                CommitObserver.NONE,
                Optional::empty);
    }

    public DatabaseConfig observedBy(CommitObserver other) {
        return new DatabaseConfig(
                url, user, password, workers, lanes, readers, queue, patience, clock, random, other, stop);
    }

    public DatabaseConfig withLanes(int count, int queueOfEach) {
        return new DatabaseConfig(
                url, user, password, workers, count, readers, queueOfEach, patience, clock, random, observer, stop);
    }

    public DatabaseConfig withWorkers(Map<String, String> addresses) {
        return new DatabaseConfig(
                url, user, password, addresses, lanes, readers, queue, patience, clock, random, observer, stop);
    }

    public DatabaseConfig withPatience(Duration other) {
        return new DatabaseConfig(
                url, user, password, workers, lanes, readers, queue, other, clock, random, observer, stop);
    }

    /** The same with a reason to write nothing for the time being. */
    public DatabaseConfig stoppedBy(Supplier<Optional<String>> reason) {
        return new DatabaseConfig(
                url, user, password, workers, lanes, readers, queue, patience, clock, random, observer, reason);
    }

    /** Leaves out the password and the URL, which may contain one. */
    @Override
    public String toString() {
        return "DatabaseConfig[lanes=" + lanes + ", readers=" + readers + ", queue=" + queue + "]";
    }

    /** Is called after every commit, on the thread of a lane, so it must return quickly. */
    @FunctionalInterface
    public interface CommitObserver {
        CommitObserver NONE = (changes, events, took) -> {};

        /**
         * Called when a batch is durable.
         *
         * @param changes the number of changes that were applied
         * @param events the number of events that were written
         * @param took the time from asking for a connection until the batch was durable
         */
        void committed(int changes, int events, Duration took);
    }
}
