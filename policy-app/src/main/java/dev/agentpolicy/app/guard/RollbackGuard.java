package dev.agentpolicy.app.guard;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.HeadFiles.Found;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.port.RandomSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a database with the heads that are recorded beside it. Every recorded head must be a row of its chain. Heads of
 * another installation are compared only if the database is new, because it may have replaced theirs.
 *
 * <p>A starting node compares before it writes anything, and settles what to do about a loss after the anchors have been
 * compared. What lies on a worker that is away is compared when it is back; until then those accounts are not changed.
 */
public final class RollbackGuard {
    private static final Logger LOG = LoggerFactory.getLogger(RollbackGuard.class);
    private static final String IN_MEMORY = "jdbc:h2:mem:";
    private static final int MAX_LOOKED_UP = 1_000;
    private static final int MAX_COUNTED = 10_000;
    private static final int CODE_LENGTH = 8;

    private final HeadFiles files;
    private final String override;
    private final JdbcStore store;
    private final boolean isRecorded;
    /** The newest heads of users whose worker is away, which are still to be compared. */
    private final Map<UserId, ChainHead> unasked = new HashMap<>();

    private final Loss loss;

    /**
     * What a database lacks.
     *
     * @param isNew whether the database was never served
     * @param sentence describes the missing rows; empty if there are none
     * @param code names exactly this loss
     * @param compared the files that know of it
     */
    private record Loss(boolean isNew, String sentence, String code, List<Found> compared) {}

    private RollbackGuard(Config config, JdbcStore store) {
        this.files = new HeadFiles(config.rollback().directory());
        this.override = config.rollback().override();
        this.store = store;
        this.isRecorded = isRecorded(config);
        this.loss = isRecorded ? compare() : new Loss(false, "", "", List.of());
    }

    /**
     * Compares, before a node writes anything. A database in memory is new at every start, so nothing is recorded of one.
     *
     * @throws CannotStart when a new database stands where there was another, without an override
     */
    public static RollbackGuard check(Config config, JdbcStore store) {
        RollbackGuard guard = new RollbackGuard(config, store);
        if (guard.loss.isNew()) {
            guard.requireAllAsked();
            guard.requireNone();
        }
        return guard;
    }

    /** Whether anything of the database is recorded. One in memory is new at every start. */
    public static boolean isRecorded(Config config) {
        return !config.database().url().startsWith(IN_MEMORY);
    }

    /**
     * Refuses, before a command writes to a database, one that a service would refuse.
     *
     * @throws CannotStart if rows are missing; the message says which, and what to do
     */
    public static void requireNone(Config config, JdbcStore store) {
        RollbackGuard guard = new RollbackGuard(config, store);
        guard.requireAllAsked();
        guard.requireNone();
    }

    private void requireAllAsked() {
        if (!unasked.isEmpty()) {
            throw new CannotStart("Not every worker of the database answers, so " + unasked.size()
                    + " chains cannot be compared with their records. Try again when all workers are up.");
        }
    }

    /**
     * Ends the check, and begins to record heads. Files with a loss that was overridden get other names; the next start
     * does not compare them.
     *
     * @param isAnchorOverridden whether the operator accepts that the database is behind an anchor, and with it this loss
     * @throws CannotStart when the database lacks rows, without an override
     */
    public void settle(boolean isAnchorOverridden, HeadRing heads, RandomSource random, Instant now) {
        if (!loss.isNew() && !isAnchorOverridden) {
            requireNone();
        }
        if (!loss.sentence().isEmpty()) {
            // The files are set aside, with the heads that could not be compared.
            requireAllAsked();
        }
        if (!unasked.isEmpty()) {
            LOG.warn(
                    "Not every worker of the database answers: the accounts of {} users are not changed before they were"
                            + " compared with the records of this node",
                    unasked.size());
            store.hold(unasked.keySet());
        }
        if (isAnchorOverridden && !loss.sentence().isEmpty()) {
            LOG.warn("The database lacks rows, which POLICY_ANCHOR_OVERRIDE accepts: {}", loss.sentence());
        }
        if (!isRecorded) {
            return;
        }
        UUID installation = store.establishInstallation(random.uuid());
        for (Found file : loss.sentence().isEmpty() ? List.<Found>of() : loss.compared()) {
            try {
                files.setAside(file, now);
            } catch (IOException failed) {
                throw new CannotStart("The file " + file.path() + " cannot be renamed; make it writable.", failed);
            }
        }
        heads.begin(files, installation);
    }

    /** Whether some heads are still to be compared. */
    public boolean isIncomplete() {
        return !unasked.isEmpty();
    }

    /**
     * Compares the heads that could not be compared before, and lets the accounts go on that lack nothing.
     *
     * @return how many were compared
     */
    public int compareRest() {
        List<ChainHead> waiting = List.copyOf(unasked.values());
        for (int from = 0; from < waiting.size(); from += MAX_LOOKED_UP) {
            List<ChainHead> some = waiting.subList(from, Math.min(from + MAX_LOOKED_UP, waiting.size()));
            Set<ChainHead> again = new HashSet<>();
            List<ChainHead> missing = store.chains().missing(some, again::add);
            for (ChainHead head : missing) {
                LOG.error(
                        "The chain of user {} lacks its row {}, which is on record: its worker was probably restored from a"
                                + " backup. This account is not changed; start this node again for what can be done",
                        head.userId().value(),
                        head.seq());
                unasked.remove(head.userId());
            }
            some.stream()
                    .filter(head -> !again.contains(head) && unasked.remove(head.userId()) != null)
                    .forEach(head -> store.release(head.userId()));
        }
        return waiting.size() - unasked.size();
    }

    private void requireNone() {
        if (loss.sentence().isEmpty()) {
            return;
        }
        if (!override.equals(loss.code())) {
            throw new CannotStart(
                    loss.isNew()
                            ? "The database is new, or older than the records of another in " + files.directory() + ": "
                                    + loss.sentence()
                                    + " Restore that database, or set POLICY_DB_URL to it; for a new installation set"
                                    + " POLICY_STATE_DIR to another directory; or, to begin anew for ever, start once with"
                                    + " POLICY_ROLLBACK_OVERRIDE=" + loss.code() + "."
                            : "The database lacks rows that were committed to it, by the records in "
                                    + files.directory() + ": " + loss.sentence()
                                    + " It was probably restored from a backup, or its file is damaged. Restore a newer"
                                    + " one; or, to go on and leave those rows out of the history for ever, start once"
                                    + " with POLICY_ROLLBACK_OVERRIDE=" + loss.code() + ".");
        }
        LOG.warn(
                "The database lacks rows and is used all the same, as POLICY_ROLLBACK_OVERRIDE says: {}",
                loss.sentence());
    }

    private Loss compare() {
        List<Found> all;
        try {
            all = files.all();
        } catch (IOException failed) {
            LOG.warn(
                    "The directory {} cannot be read, so no head is compared: {}",
                    files.directory(),
                    failed.toString());
            all = List.of();
        }
        // After the files were listed: a node that begins at the same time stores the id before it makes its file.
        Optional<UUID> installation = store.installation();
        List<Found> compared = all.stream()
                .filter(file -> installation.isEmpty() || file.installation().equals(installation.get()))
                .toList();
        Missing missing = new Missing();
        compared.forEach(missing::compare);
        return new Loss(installation.isEmpty(), missing.sentence(), missing.code, compared);
    }

    /** The recorded heads that are no rows of the database. */
    private final class Missing {
        private final List<ChainHead> next = new ArrayList<>();
        private final Map<UserId, ChainHead> newest = new HashMap<>();
        private boolean isCounted = true;
        private String code = "";

        /** A file that cannot be read is warned of and left out. */
        void compare(Found file) {
            try {
                int damaged = HeadFiles.each(file.path(), this::take);
                lookUp();
                if (damaged > 0) {
                    LOG.warn("{} records in {} are damaged and left out", damaged, file.path());
                }
            } catch (IOException | UncheckedIOException failed) {
                LOG.warn("The file {} cannot be read and is left out: {}", file.path(), failed.toString());
            }
        }

        private void take(ChainHead head) {
            next.add(head);
            if (next.size() == MAX_LOOKED_UP) {
                lookUp();
            }
        }

        private void lookUp() {
            for (ChainHead head : store.chains().missing(next, this::later)) {
                code = Sha256.hex(code + HeadFiles.line(head)).substring(0, CODE_LENGTH);
                if (newest.size() < MAX_COUNTED || newest.containsKey(head.userId())) {
                    newest.merge(head.userId(), head, (one, other) -> one.seq() > other.seq() ? one : other);
                } else {
                    isCounted = false;
                }
            }
            next.clear();
        }

        private void later(ChainHead head) {
            unasked.merge(head.userId(), head, (one, other) -> one.seq() > other.seq() ? one : other);
        }

        String sentence() {
            MissingRows rows = new MissingRows();
            Instant last = Instant.MIN;
            for (ChainHead head : newest.values()) {
                long present = store.eventLog().head(head.userId()).seq();
                if (present < head.seq()) {
                    rows.lacks(head.seq() - present);
                } else {
                    rows.differs();
                }
                last = head.createdAt().isAfter(last) ? head.createdAt() : last;
            }
            Instant newestRow = last;
            return rows.sentence("the records have")
                    .map(what -> (isCounted ? "" : "at least ") + what + " The last row on record is of "
                            + Instants.format(newestRow) + ".")
                    .orElse("");
        }
    }
}
