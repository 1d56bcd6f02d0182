package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.adapter.jdbc.sql.Transactions;
import dev.agentpolicy.domain.request.IdempotencyKey;
import java.sql.PreparedStatement;
import java.time.Instant;

/** Removes idempotency records whose window is over, few at a time, so that no lane waits long for their locks. */
public record OldReplays(Transactions transactions) {
    private static final int PORTION = 1_000;

    /** Looks at the age again while it deletes: meanwhile the key may have been used anew. */
    private static final String REMOVING = "DELETE FROM idempotency WHERE created_at <= ?"
            + " AND (user_id, agent_key_id, idempotency_key) IN (SELECT user_id, agent_key_id, idempotency_key"
            + " FROM idempotency WHERE created_at <= ? ORDER BY created_at FETCH FIRST " + PORTION + " ROWS ONLY)";

    /** Answers how many there were. */
    public int remove(Instant now) {
        Instant over = now.minus(IdempotencyKey.WINDOW);
        int removed = 0;
        int portion;
        do {
            portion = removePortion(over);
            removed += portion;
        } while (portion == PORTION);
        return removed;
    }

    private int removePortion(Instant over) {
        return transactions.inOne(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(REMOVING)) {
                statement.setObject(1, Timestamps.column(over));
                statement.setObject(2, Timestamps.column(over));
                return statement.executeUpdate();
            }
        });
    }
}
