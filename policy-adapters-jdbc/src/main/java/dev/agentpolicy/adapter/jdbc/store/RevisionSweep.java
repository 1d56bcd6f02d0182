package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.Reads.Watermark;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;

/**
 * Deletes the portfolio revisions of past days (UTC), all but the last of each day. The current revision is the last of
 * its day. It goes through each day once, user by user and in small portions, so that nobody waits long for their locks;
 * which days are done is kept in the database.
 */
public final class RevisionSweep {
    /** Rows that are looked at together, if they are of several users. */
    static final int PORTION = 2_000;
    /** Today and as many days before it keep every revision. */
    private static final int DAYS_KEPT = 2;
    /** After this time the next call goes on, so that other sweeps have their turn. */
    private static final Duration MAX_TIME = Duration.ofSeconds(20);

    private static final UUID FIRST = new UUID(0, 0);
    private static final UUID LAST = new UUID(-1, -1);
    static final String NEXT_DAY =
            "SELECT as_of_day FROM portfolio_revision WHERE as_of_day >= ? AND as_of_day < ? ORDER BY as_of_day LIMIT 1";
    static final String LAST_OF_PORTION = "SELECT user_id FROM portfolio_revision WHERE as_of_day = ? AND user_id > ?"
            + " ORDER BY as_of_day, user_id OFFSET " + (PORTION - 1) + " ROWS FETCH NEXT ROW ONLY";
    static final String REMOVING = "DELETE FROM portfolio_revision r WHERE r.as_of_day = ? AND r.user_id > ?"
            + " AND r.user_id <= ? AND r.revision < (SELECT max(n.revision) FROM portfolio_revision n"
            + " WHERE n.as_of_day = r.as_of_day AND n.user_id = r.user_id)";

    private final Reads reads;
    private final Transactions transactions;
    private final Watermark progress;
    private LocalDate day = LocalDate.EPOCH;
    /** The user up to whom the day is done. */
    private UUID done = FIRST;

    public RevisionSweep(Reads reads, Transactions transactions) {
        this.reads = reads;
        this.transactions = transactions;
        this.progress = new Watermark(reads, "revisions_swept");
    }

    /** Deletes old revisions and returns how many there were; if there are very many, the next call goes on. */
    public synchronized int remove(Instant now) {
        long begun = System.nanoTime();
        LocalDate end = LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(DAYS_KEPT);
        progress.reached().map(it -> LocalDate.ofInstant(it, ZoneOffset.UTC)).ifPresent(this::goOn);
        int removed = 0;
        while (day.isBefore(end) && System.nanoTime() - begun < MAX_TIME.toNanos()) {
            if (done.equals(FIRST)) {
                day = reads.first(NEXT_DAY, row -> row.getObject(1, LocalDate.class), day, end)
                        .orElse(end);
            }
            if (day.isBefore(end)) {
                removed += removePortion();
            }
            if (done.equals(FIRST)) {
                progress.advance(day.atStartOfDay(ZoneOffset.UTC).toInstant());
            }
        }
        return removed;
    }

    /** Another node may be further. */
    private void goOn(LocalDate reached) {
        if (reached.isAfter(day)) {
            day = reached;
            done = FIRST;
        }
    }

    private int removePortion() {
        Optional<UUID> next = reads.first(LAST_OF_PORTION, row -> row.getObject(1, UUID.class), day, done);
        int removed = transactions.update(REMOVING, day, done, next.orElse(LAST));
        if (next.isEmpty()) {
            day = day.plusDays(1);
        }
        done = next.orElse(FIRST);
        return removed;
    }
}
