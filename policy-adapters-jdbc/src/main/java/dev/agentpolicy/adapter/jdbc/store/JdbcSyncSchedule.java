package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.port.SyncSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** The schedule of syncs in the rows of the custodians. Of nodes that claim the same row, one gets it. */
public record JdbcSyncSchedule(Transactions transactions, QueryExecutor queries) implements SyncSchedule {
    private static final String OF_CUSTODIAN = " WHERE user_id = ? AND custodian_id = ?";
    private static final String IS_FREE = "(held_until IS NULL OR held_until <= ?)";
    private static final String IS_DUE = "due_at <= ? AND " + IS_FREE;

    @Override
    public List<CustodianRef> claim(UUID node, Instant now, Duration lease, Instant nextDue, int limit) {
        List<CustodianRef> due = transactions.inOne(connection -> Reads.list(
                connection,
                "SELECT user_id, custodian_id FROM custodian WHERE " + IS_DUE + " ORDER BY due_at LIMIT ?",
                row -> new CustodianRef(RowReader.userId(row), row.getString("custodian_id")),
                Timestamps.column(now),
                Timestamps.column(now),
                limit));
        return due.stream()
                .filter(custodian -> transactions.update(
                                "UPDATE custodian SET due_at = ?, holder = ?, held_until = ?" + OF_CUSTODIAN + " AND "
                                        + IS_DUE,
                                Timestamps.column(nextDue),
                                node,
                                Timestamps.column(now.plus(lease)),
                                custodian.user().value(),
                                custodian.custodian(),
                                Timestamps.column(now),
                                Timestamps.column(now))
                        > 0)
                .toList();
    }

    @Override
    public CompletionStage<Boolean> release(UUID node, CustodianRef custodian) {
        return queries.submit(() -> transactions.update(
                        "UPDATE custodian SET holder = NULL, held_until = NULL" + OF_CUSTODIAN + " AND holder = ?",
                        custodian.user().value(),
                        custodian.custodian(),
                        node)
                > 0);
    }

    @Override
    public CompletionStage<Boolean> sooner(CustodianRef custodian, Instant dueAt) {
        return queries.submit(() -> transactions.update(
                        "UPDATE custodian SET due_at = ?" + OF_CUSTODIAN + " AND due_at > ?",
                        Timestamps.column(dueAt),
                        custodian.user().value(),
                        custodian.custodian(),
                        Timestamps.column(dueAt))
                > 0);
    }

    @Override
    public void allDue(Instant now) {
        transactions.update(
                "UPDATE custodian SET due_at = ? WHERE due_at > ? AND " + IS_FREE,
                Timestamps.column(now),
                Timestamps.column(now),
                Timestamps.column(now));
    }
}
