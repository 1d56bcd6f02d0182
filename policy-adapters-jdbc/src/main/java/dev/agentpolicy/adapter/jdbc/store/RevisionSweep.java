package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the portfolio revisions of past days (UTC), all but the last of each day. The current revision is the last of
 * its day. Works in small portions, so that nobody waits long for their locks.
 */
public final class RevisionSweep {
    private static final int PORTION = 1_000;
    /** Today and as many days before it keep every revision. */
    private static final int DAYS_KEPT = 2;

    private static final String REMOVING = "DELETE FROM portfolio_revision WHERE (user_id, revision) IN"
            + " (SELECT r.user_id, r.revision FROM portfolio_revision r WHERE r.as_of_day >= ? AND r.as_of_day < ?"
            + " AND EXISTS (SELECT 1 FROM portfolio_revision n WHERE n.user_id = r.user_id"
            + " AND n.as_of_day = r.as_of_day AND n.revision > r.revision)"
            + " FETCH FIRST " + PORTION + " ROWS ONLY)";

    private final Transactions transactions;
    /** The day from which on there may be something to delete; null before the first sweep of this process. */
    private @Nullable LocalDate sweptUntil;

    public RevisionSweep(Transactions transactions) {
        this.transactions = transactions;
    }

    /** Deletes old revisions and returns how many there were. The first sweep looks at all days, later ones at new ones. */
    public synchronized int remove(Instant now) {
        LocalDate end = LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(DAYS_KEPT);
        LocalDate start = sweptUntil == null ? LocalDate.ofInstant(Instant.EPOCH, ZoneOffset.UTC) : sweptUntil;
        int removed = 0;
        int portion;
        do {
            portion = transactions.update(REMOVING, start, end);
            removed += portion;
        } while (portion > 0);
        sweptUntil = end;
        return removed;
    }
}
