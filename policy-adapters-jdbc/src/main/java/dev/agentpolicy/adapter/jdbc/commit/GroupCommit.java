package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.CallbackExecutor;
import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.commit.JdbcAccounts.Lane;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailure;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Records batches of changes: makes an {@link Attempt}, repeats it where that can help, and hands out the answers after the
 * commit. Used by all lanes at the same time.
 *
 * <h2>Journal and snapshot</h2>
 *
 * The events of an account, its chain, are a journal. The account row with its tallies is a snapshot of it, which may be
 * behind by at most {@link Dialect#MAX_TAIL} decisions, the tail. A decision is one call of its key and nothing else, so
 * the tallies of a snapshot are brought up to date from the tail. An idle lane writes snapshots that are
 * behind ({@link PendingChange#checkpoint}).
 *
 * <h2>Lanes and batches</h2>
 *
 * Each user belongs to one {@link Lane} of a node, which has one connection and one thread. What has queued while it
 * committed is its next batch. Each account of a batch is an {@link AccountSession}: the changes are applied to it in their
 * order, {@link EventSealer} gives their events a place, a hash and a signature, and it collects the rows to be written.
 *
 * <h2>Two protocols</h2>
 *
 * <ul>
 *   <li><b>append</b>, for a batch that records nothing but decisions on accounts that {@link AccountCache} has: one
 *       statement inserts the events if every snapshot still has the version and position the batch began with. On a cluster a
 *       transaction inserts them row by row, reads the snapshots, and commits if they are the same. No account is locked; the
 *       primary key of the events lets one transaction append the next event of a chain.
 *   <li><b>locked</b>, for everything else: {@link AccountLoader} locks the snapshots in the order of their users and replays
 *       their tails; then all rows are written. Every snapshot that is written gets a higher version, which makes the cached
 *       copies of all nodes stale.
 * </ul>
 *
 * The protocol is chosen before a change is applied. A batch that could not be appended is done again, locked.
 *
 * <h2>Failures</h2>
 *
 * <ul>
 *   <li>A COMMIT without an answer leaves an attempt unsettled. The next attempt first finds out whether that one was
 *       committed, and if so answers with its results. An append holds no lock by which to tell that the server is done
 *       with it, so it stays unsettled until another attempt is committed in its place.
 *   <li>A conflict is tried again a few times. If it goes on, or if the database refuses the batch, each change is recorded
 *       alone, so that one cannot fail the others.
 *   <li>While the database is away, attempts are repeated until its youngest change has waited long enough. Then every caller
 *       is told whether nothing was recorded or whether that is not known.
 * </ul>
 */
public final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final long PAUSE_MILLIS = 50;

    private final ConnectionSource connections;
    private final Dialect dialect;
    private final RevisionCache revisions;
    private final KeyCache keys;
    private final AccountCache cache = new AccountCache();
    private final EventSealer sealer;
    private final KeyRoutes routes;
    private final DatabaseConfig config;
    private final CallbackExecutor answers;
    private final Consumer<ChainHead> heads;

    public GroupCommit(
            ConnectionSource connections,
            Dialect dialect,
            RevisionCache revisions,
            KeyCache keys,
            EventSealer sealer,
            KeyRoutes routes,
            DatabaseConfig config,
            CallbackExecutor answers,
            Consumer<ChainHead> heads) {
        this.connections = connections;
        this.dialect = dialect;
        this.revisions = revisions;
        this.keys = keys;
        this.sealer = sealer;
        this.routes = routes;
        this.config = config;
        this.answers = answers;
        this.heads = heads;
    }

    /** Returns when the changes are recorded and their answers are on their way, or all of them have failed. */
    void record(List<PendingChange<?>> changes) {
        new Batch(changes).record();
    }

    /** Whether nothing is to be written for the time being. */
    boolean isStopped() {
        return config.stop().get().isPresent();
    }

    /** Checkpoints for those of the users whose snapshot is known to be behind the journal. */
    List<PendingChange<?>> checkpoints(Collection<UserId> users) {
        return users.stream()
                .filter(cache::isSnapshotBehind)
                .<PendingChange<?>>map(PendingChange::checkpoint)
                .toList();
    }

    /** The attempts at recording one batch. */
    private final class Batch {
        private final List<PendingChange<?>> changes;
        private final Set<UserId> users;
        private final Retries retries;
        /** Attempts that may have been committed: their COMMIT had no answer. */
        private final Set<Attempt> unsettled = new LinkedHashSet<>();

        private boolean mayAppend = true;
        /** Whether another node appended an event while the last attempt held the lock. */
        private boolean wasOvertaken;

        Batch(List<PendingChange<?>> changes) {
            this.changes = changes;
            this.users = changes.stream().map(PendingChange::user).collect(Collectors.toSet());
            // A lane queues its changes in order, so the last one has waited for the shortest time.
            this.retries = new Retries(changes.get(changes.size() - 1).since(), config.patience());
        }

        void record() {
            SQLException failed = attempt();
            while (failed != null && isRepeated(failed)) {
                failed = attempt();
            }
        }

        /** Whether to make another attempt after one that failed; if not, every caller has its answer. */
        private boolean isRepeated(SQLException failed) {
            SqlFailure failure = SqlFailure.of(failed);
            if (failure == SqlFailure.CONFLICT) {
                retries.count();
            }
            boolean isSettled = unsettled.isEmpty();
            if (isSettled && (failure == SqlFailure.REFUSED || retries.isExhausted() && changes.size() > 1)) {
                recordOneByOne(failed);
                return false;
            }
            if (isSettled && SqlFailure.isLocked(failed) && users.size() > 1) {
                byUser().forEach(GroupCommit.this::record);
                return false;
            }
            if (retries.isOver() || isSettled && retries.isExhausted() || isStopped()) {
                giveUp(failed, isSettled);
                return false;
            }
            pause();
            return true;
        }

        /** Makes one attempt; returns why nothing was answered, or null if every caller has its answer. */
        private @Nullable SQLException attempt() {
            long begun = System.nanoTime();
            try (Connection connection = connections.of(changes.get(0).user()).getConnection()) {
                if (cache.isNew(connection.unwrap(Connection.class))) {
                    forgetAll();
                }
                Attempt committed = dialect.writeLock().during(connection, this::commit);
                committed.cache(revisions, keys, cache);
                observe(committed, Duration.ofNanos(System.nanoTime() - begun));
                answers.give(committed.answers());
                return null;
            } catch (SQLException failed) {
                return distrusted(failed);
            } catch (SqlFailed failed) {
                return distrusted(failed.failed());
            } catch (RuntimeException broken) {
                return new SQLException("What is stored cannot be read, or a change cannot be written.", broken);
            }
        }

        /** A worker of a cluster that was away may come back as another, like a server behind a new connection. */
        private SQLException distrusted(SQLException failed) {
            if (SqlFailure.of(failed) == SqlFailure.AWAY) {
                forgetAll();
            }
            return failed;
        }

        private void forgetAll() {
            cache.forgetAll(revisions);
            if (!dialect.isDistributed()) {
                // A lane of a cluster leads to a worker, which does not have the numbers of keys.
                sealer.keys().forget();
            }
        }

        /** Returns the attempt that is durable: an earlier one if it turns out to have been committed, else a new one. */
        private Attempt commit(Connection connection) throws SQLException {
            for (Attempt earlier : unsettled) {
                if (earlier.wasCommitted(connection)) {
                    connection.rollback();
                    return flushed(connection, earlier);
                }
            }
            // An append holds no lock, so the server may still be about to execute it. It stays unsettled until another
            // attempt is committed in its place; from then on the primary key of the events makes it fail.
            unsettled.removeIf(earlier -> !earlier.isAppend());
            Attempt appended = mayAppend ? append(connection) : null;
            return flushed(connection, appended == null ? lock(connection) : appended);
        }

        /** Returns null if the batch cannot be appended; then nothing of it was recorded. */
        private @Nullable Attempt append(Connection connection) throws SQLException {
            mayAppend = false;
            Attempt attempt = new Attempt(changes, dialect, sealer);
            if (!attempt.beginAppend(connection, cache, revisions, now())) {
                return null;
            }
            try {
                if (attempt.append(connection)) {
                    return attempt;
                }
            } catch (SQLException failed) {
                if (attempt.isOutcomeUnknown()) {
                    unsettled.add(attempt);
                    throw failed;
                }
                if (connection.isClosed()) {
                    // It turned out to be broken, so there is nothing to lock on.
                    throw failed;
                }
                // A lost race is as expected; a statement that the database refuses would make every batch slow.
                LOG.atLevel(SqlFailure.of(failed) == SqlFailure.REFUSED ? Level.WARN : Level.DEBUG)
                        .setCause(failed)
                        .log("A batch could not be appended and is done again, locked.");
            }
            cache.forget(users);
            return null;
        }

        private Attempt lock(Connection connection) throws SQLException {
            if (wasOvertaken) {
                AccountLoader.invalidateCaches(connection, users);
            }
            Attempt attempt = new Attempt(changes, dialect, sealer);
            try {
                attempt.lock(connection, revisions, routes, now());
                return attempt;
            } catch (SQLException failed) {
                wasOvertaken = SqlFailure.isTaken(failed);
                if (attempt.isOutcomeUnknown()) {
                    unsettled.add(attempt);
                }
                throw failed;
            }
        }

        /** Makes a committed attempt survive a power cut. Until then it counts as unsettled. */
        private Attempt flushed(Connection connection, Attempt committed) throws SQLException {
            unsettled.add(committed);
            dialect.flush(connection);
            return committed;
        }

        /** One change that cannot be written must not fail the others: each is recorded alone. */
        private void recordOneByOne(SQLException failed) {
            if (changes.size() > 1) {
                changes.forEach(waiting -> GroupCommit.this.record(List.of(waiting)));
            } else {
                LOG.error("A change could not be recorded; nothing of it was.", failed);
                failAll(new IllegalStateException("The database refused what was to be recorded.", failed));
            }
        }

        /** An account that is locked for too long must not fail the others: each is recorded alone. */
        private Collection<List<PendingChange<?>>> byUser() {
            return changes.stream()
                    .collect(Collectors.groupingBy(PendingChange::user, LinkedHashMap::new, Collectors.toList()))
                    .values();
        }

        private void giveUp(SQLException failed, boolean isSettled) {
            LOG.warn("{} changes could not be recorded: {}", changes.size(), failed.getMessage());
            String message = isSettled
                    ? "The database cannot take anything now; nothing was recorded."
                    : "The database went away during a commit; whether this was recorded is not known yet.";
            failAll(new Unavailable(message, failed));
        }

        private void failAll(RuntimeException failure) {
            answers.give(changes.stream()
                    .<Runnable>map(waiting -> () -> waiting.fail(failure))
                    .toList());
        }

        /** An observer that fails must not make a durable batch look as if it were not recorded. */
        private void observe(Attempt committed, Duration took) {
            try {
                config.observer().committed(changes.size(), committed.events(), took);
                committed.heads().forEach(heads);
            } catch (RuntimeException failed) {
                LOG.warn("An observer of commits failed.", failed);
            }
        }
    }

    private Instant now() {
        return Instants.truncated(config.clock().instant());
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
