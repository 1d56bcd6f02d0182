package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.async.CallbackExecutor;
import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.sql.CommitObserver;
import dev.agentpolicy.adapter.jdbc.sql.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.SqlFailed;
import dev.agentpolicy.adapter.jdbc.sql.SqlFailure;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records what queued in one transaction, as often as it takes or patience allows, and then has it answered. */
public final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int MAX_CONFLICTS = 5;
    private static final long PAUSE_MILLIS = 50;
    private static final String TAKEN = "23505";

    private final DataSource connections;
    private final Dialect dialect;
    private final RevisionCache revisions;
    private final KeyCache known;
    private final AccountCache remembered = new AccountCache();
    private final EventSealer sealing;
    private final InstantSource clock;
    private final Duration patience;
    private final CallbackExecutor answers;
    private final CommitObserver observer;
    private final Supplier<Optional<String>> stop;
    private final Consumer<ChainHead> heads;

    public GroupCommit(
            DataSource connections,
            Dialect dialect,
            RevisionCache revisions,
            KeyCache known,
            EventSealer sealing,
            DatabaseConfig config,
            CallbackExecutor answers,
            Consumer<ChainHead> heads) {
        this.connections = connections;
        this.dialect = dialect;
        this.revisions = revisions;
        this.known = known;
        this.sealing = sealing;
        this.clock = config.clock();
        this.patience = config.patience();
        this.answers = answers;
        this.observer = config.observer();
        this.stop = config.stop();
        this.heads = heads;
    }

    void record(List<PendingChange<?>> changes) {
        Set<Batch> unanswered = new LinkedHashSet<>();
        boolean mayRemember = true;
        boolean wasOutrun = false;
        for (int conflicts = 0; ; ) {
            Try attempt = new Try(changes, unanswered, mayRemember, wasOutrun);
            SQLException failed = attempt.failure();
            if (failed == null) {
                return;
            }
            boolean isKnown = unanswered.isEmpty();
            mayRemember = false;
            if (isKnown && attempt.isFromMemory) {
                remembered.forget(attempt.users());
                continue;
            }
            wasOutrun = TAKEN.equals(failed.getSQLState());
            SqlFailure failure = SqlFailure.of(failed);
            conflicts += failure == SqlFailure.CONFLICT ? 1 : 0;
            if (isKnown && (failure == SqlFailure.REFUSED || conflicts > MAX_CONFLICTS && changes.size() > 1)) {
                refused(changes, failed);
                return;
            }
            if (isKnown && SqlFailure.isLocked(failed) && attempt.users().size() > 1) {
                byUser(changes).forEach(this::record);
                return;
            }
            if (isOver(changes) || isKnown && conflicts > MAX_CONFLICTS || isStopped()) {
                giveUp(changes, failed, !isKnown);
                return;
            }
            pause();
        }
    }

    /** Whether nothing is to be written for the time being. */
    boolean isStopped() {
        return stop.get().isPresent();
    }

    /** Changes of nothing, by which the account rows are written whose chains are ahead of them; then no reader puts them together. */
    List<PendingChange<?>> settling(Collection<UserId> users) {
        return users.stream()
                .filter(remembered::isTrailing)
                .<PendingChange<?>>map(user -> new PendingChange<>(user, account -> Outcome.nothing(true)))
                .toList();
    }

    /** One change that cannot be written must not take the others down: each is tried alone. */
    private void refused(List<PendingChange<?>> changes, Exception failed) {
        if (changes.size() > 1) {
            changes.forEach(waiting -> record(List.of(waiting)));
        } else {
            LOG.error("A change could not be recorded; nothing of it was.", failed);
            answers.give(List.of(() -> changes.get(0)
                    .fail(new IllegalStateException("The database refused what was to be recorded.", failed))));
        }
    }

    /** An account that somebody does not let go of must not take those of others down, whoever it is. */
    private static Collection<List<PendingChange<?>>> byUser(List<PendingChange<?>> changes) {
        Map<UserId, List<PendingChange<?>>> each = new LinkedHashMap<>();
        changes.forEach(waiting ->
                each.computeIfAbsent(waiting.user(), any -> new ArrayList<>()).add(waiting));
        return each.values();
    }

    private void giveUp(List<PendingChange<?>> changes, SQLException failed, boolean isUnknown) {
        LOG.warn("{} changes could not be recorded: {}", changes.size(), failed.getMessage());
        String message = isUnknown
                ? "The database went away during a commit; whether this was recorded is not known yet."
                : "The database cannot take anything now; nothing was recorded.";
        answers.give(changes.stream()
                .<Runnable>map(waiting -> () -> waiting.fail(new Unavailable(message, failed)))
                .toList());
    }

    /** Nobody waits longer than the patience there is, counted from when they came. */
    private boolean isOver(List<PendingChange<?>> changes) {
        long youngest = changes.stream()
                .mapToLong(waiting -> System.nanoTime() - waiting.since())
                .min()
                .orElse(0);
        return youngest > patience.toNanos();
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One connection, one transaction. */
    private final class Try {
        private final List<PendingChange<?>> changes;
        private final boolean mayRemember;
        private final Set<Batch> unanswered;
        private final boolean wasOutrun;
        private boolean isFromMemory;

        /**
         * A try.
         *
         * @param unanswered earlier ones whose COMMIT was never answered, to which this one may add itself
         * @param mayRemember whether it may begin with accounts as they are remembered
         * @param wasOutrun whether the try before held the lock, and another node wrote a chain on from memory meanwhile
         */
        Try(List<PendingChange<?>> changes, Set<Batch> unanswered, boolean mayRemember, boolean wasOutrun) {
            this.changes = changes;
            this.unanswered = unanswered;
            this.mayRemember = mayRemember;
            this.wasOutrun = wasOutrun;
        }

        Set<UserId> users() {
            return changes.stream().map(PendingChange::user).collect(Collectors.toSet());
        }

        /** Why nothing was answered; null when everything was. */
        @Nullable
        SQLException failure() {
            long begun = System.nanoTime();
            try (Connection connection = connections.getConnection()) {
                remembered.hear(connection.unwrap(Connection.class), revisions);
                Batch recorded = dialect.turns().during(connection, this::recorded);
                recorded.keep(revisions, known, remembered);
                tell(recorded, Duration.ofNanos(System.nanoTime() - begun));
                answers.give(recorded.answers());
                return null;
            } catch (SQLException failed) {
                return failed;
            } catch (SqlFailed failed) {
                return failed.failed();
            } catch (RuntimeException broken) {
                return new SQLException("What is stored cannot be read, or a change cannot be written.", broken);
            }
        }

        /** What is durable now: an earlier batch, when it turns out that it was committed, else one of its own. */
        private Batch recorded(Connection connection) throws SQLException {
            for (Batch earlier : unanswered) {
                if (earlier.isRecorded(connection)) {
                    connection.rollback();
                    return flushed(connection, earlier);
                }
            }
            // One from memory held no lock before its commit and may only be about to begin: it stays until another is
            // committed in its place, which it then cannot be.
            unanswered.removeIf(earlier -> !earlier.isFromMemory());
            if (wasOutrun) {
                Loading.renounce(connection, users());
            }
            Batch batch = new Batch(changes, dialect);
            isFromMemory = mayRemember && batch.remember(remembered, revisions);
            write(connection, batch);
            if (isFromMemory && !batch.needsNoLock()) {
                isFromMemory = false;
                batch = new Batch(changes, dialect);
                write(connection, batch);
            }
            commit(connection, batch);
            return flushed(connection, batch);
        }

        private void write(Connection connection, Batch batch) throws SQLException {
            batch.write(connection, revisions, sealing, Instants.truncated(clock.instant()));
        }

        private Batch flushed(Connection connection, Batch committed) throws SQLException {
            unanswered.add(committed);
            dialect.flush(connection);
            return committed;
        }

        private void commit(Connection connection, Batch batch) throws SQLException {
            try {
                batch.commit(connection);
            } catch (SQLException failed) {
                if (SqlFailure.leavesCommitUnknown(failed)) {
                    unanswered.add(batch);
                }
                throw failed;
            }
        }

        /** An observer that fails must not make a durable batch look as if it were not. */
        private void tell(Batch batch, Duration took) {
            try {
                observer.committed(changes.size(), batch.events(), took);
                batch.heads().forEach(heads);
            } catch (RuntimeException failed) {
                LOG.warn("An observer of commits failed.", failed);
            }
        }
    }
}
