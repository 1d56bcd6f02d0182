package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.SyncSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schedule of syncs in the rows of the custodians. Of nodes that claim the same row, one gets it. */
public record JdbcSyncSchedule(Reads reads, Transactions transactions, QueryExecutor queries) implements SyncSchedule {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcSyncSchedule.class);
    private static final String OF_CUSTODIAN = " WHERE user_id = ? AND custodian_id = ?";
    private static final String IS_FREE = "(held_until IS NULL OR held_until <= ?)";
    private static final String IS_DUE = "due_at <= ? AND " + IS_FREE;

    @Override
    public List<CustodianRef> claim(UUID node, Instant now, Duration lease, Instant nextDue, int limit) {
        List<CustodianRef> due = reads.ofAllUsers(
                "SELECT user_id, custodian_id FROM custodian WHERE " + IS_DUE + " ORDER BY due_at LIMIT ?",
                row -> new CustodianRef(RowReader.userId(row), row.getString("custodian_id")),
                Timestamps.column(now),
                Timestamps.column(now),
                limit);
        List<CustodianRef> claimed = new ArrayList<>();
        for (CustodianRef custodian : due.subList(0, Math.min(limit, due.size()))) {
            try {
                if (claim(custodian, node, now, lease, nextDue)) {
                    claimed.add(custodian);
                }
            } catch (Unavailable locked) {
                LOG.debug("A custodian could not be claimed; it stays due.", locked);
            }
        }
        return claimed;
    }

    /** Claims one row in a transaction of its own, unless another node was first. */
    private boolean claim(CustodianRef custodian, UUID node, Instant now, Duration lease, Instant nextDue) {
        return transactions.update(
                        "UPDATE custodian SET due_at = ?, holder = ?, held_until = ?" + OF_CUSTODIAN + " AND " + IS_DUE,
                        Timestamps.column(nextDue),
                        node,
                        Timestamps.column(now.plus(lease)),
                        custodian.user().value(),
                        custodian.custodian(),
                        Timestamps.column(now),
                        Timestamps.column(now))
                > 0;
    }

    @Override
    public boolean release(UUID node, CustodianRef custodian) {
        return queries.await(() -> transactions.update(
                        "UPDATE custodian SET holder = NULL, held_until = NULL" + OF_CUSTODIAN + " AND holder = ?",
                        custodian.user().value(),
                        custodian.custodian(),
                        node)
                > 0);
    }

    @Override
    public boolean sooner(CustodianRef custodian, Instant dueAt) {
        return queries.await(() -> transactions.update(
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
