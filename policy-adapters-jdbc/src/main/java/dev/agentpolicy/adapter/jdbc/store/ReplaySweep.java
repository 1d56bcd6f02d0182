package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.request.IdempotencyKey;
import java.sql.PreparedStatement;
import java.time.Instant;

/** Deletes expired idempotency records in small portions, so that no lane waits long for their locks. */
public record ReplaySweep(Transactions transactions) {
    private static final int PORTION = 1_000;

    /** Checks the age again in the DELETE because the key may have been reused in the meantime. */
    private static final String REMOVING = "DELETE FROM idempotency WHERE created_at <= ?"
            + " AND (user_id, agent_key_id, idempotency_key) IN (SELECT user_id, agent_key_id, idempotency_key"
            + " FROM idempotency WHERE created_at <= ? ORDER BY created_at FETCH FIRST " + PORTION + " ROWS ONLY)";

    /** Deletes all expired records and returns how many there were. */
    public int remove(Instant now) {
        Instant expiry = now.minus(IdempotencyKey.WINDOW);
        int removed = 0;
        int portion;
        do {
            portion = removePortion(expiry);
            removed += portion;
        } while (portion == PORTION);
        return removed;
    }

    private int removePortion(Instant expiry) {
        return transactions.inOne(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(REMOVING)) {
                statement.setObject(1, Timestamps.column(expiry));
                statement.setObject(2, Timestamps.column(expiry));
                return statement.executeUpdate();
            }
        });
    }
}
