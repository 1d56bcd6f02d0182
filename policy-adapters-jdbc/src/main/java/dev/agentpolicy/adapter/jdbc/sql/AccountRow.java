package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.domain.account.OwnerWrites;
import dev.agentpolicy.domain.agent.DailyDecisions;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The small row that stands for a whole account.
 *
 * @param head where the chain ends
 * @param storedSeq the last event that the stored row tells of; the journal tail tells of the rest
 * @param ipsVersion in force, 0 for none
 * @param portfolioRev the present one, 0 for none
 * @param keysRev grows with every change of a key
 * @param requestsRev grows with every change of a request
 * @param connectionsRev grows with every change of a connection to a custodian, a sync included
 * @param scheduledRev grows whenever another policy waits to come into force, or none any more
 * @param signingKeyId the key that must sign the next row, null while the chain is empty
 * @param changes how often anything was recorded
 * @param decided how many decisions agents were given on the last day there were any, up to the end of the chain
 * @param written what the user wrote on the last day on which the user wrote anything
 * @param flows what was proposed and allowed in the windows of the flow limits
 * @param connections to synced custodians
 * @param passkeys of the user
 */
public record AccountRow(
        ChainHead head,
        long storedSeq,
        int ipsVersion,
        long portfolioRev,
        long keysRev,
        long requestsRev,
        long connectionsRev,
        long scheduledRev,
        @Nullable String signingKeyId,
        long changes,
        DailyDecisions decided,
        OwnerWrites written,
        FlowCounts flows,
        CustodianConnections connections,
        OwnerPasskeys passkeys) {
    private static final String BESIDE_HEAD = ", ips_version, portfolio_rev, keys_rev, requests_rev, connections_rev,"
            + " scheduled_rev, a.signing_key_id, changes, decided_day, decided, connections, passkeys, written_day,"
            + " written_ips, written_ips_bytes, written_holdings, flows FROM account a";
    /** Locks the rows of users in their order; takes their ids. */
    public static final String LOCKING = "SELECT a.user_id, a.chain_seq, a.chain_hash, a.chain_created_at" + BESIDE_HEAD
            + " WHERE a.user_id = ANY(?) ORDER BY a.user_id FOR UPDATE";
    /** Where the chain of an account {@code a} ends, if {@code e} is its last event, or null where the row tells of all. */
    public static final String HEAD = "a.user_id, COALESCE(e.seq, a.chain_seq) AS chain_seq,"
            + " COALESCE(e.hash, a.chain_hash) AS chain_hash,"
            + " COALESCE(e.created_at, a.chain_created_at) AS chain_created_at";

    static AccountRow none(UserId user) {
        return new AccountRow(
                ChainHead.genesis(user),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                null,
                0,
                DailyDecisions.NONE,
                OwnerWrites.NONE,
                FlowCounts.NONE,
                CustodianConnections.NONE,
                OwnerPasskeys.NONE);
    }

    /** A row as it is stored; the journal tail is not in it. */
    public static AccountRow read(ResultSet row) throws SQLException {
        ChainHead head = head(row);
        return new AccountRow(
                head,
                head.seq(),
                row.getInt("ips_version"),
                row.getLong("portfolio_rev"),
                row.getLong("keys_rev"),
                row.getLong("requests_rev"),
                row.getLong("connections_rev"),
                row.getLong("scheduled_rev"),
                row.getString("signing_key_id"),
                row.getLong("changes"),
                new DailyDecisions(row.getObject("decided_day", LocalDate.class), row.getLong("decided")),
                new OwnerWrites(
                        row.getObject("written_day", LocalDate.class),
                        row.getLong("written_ips"),
                        row.getLong("written_ips_bytes"),
                        row.getLong("written_holdings")),
                RowReader.flows(row.getString("flows")),
                RowReader.connections(row.getString("connections")),
                RowReader.passkeys(row.getString("passkeys")));
    }

    public static ChainHead head(ResultSet row) throws SQLException {
        String hash = EventColumns.hashOrNull(row, "chain_hash");
        return new ChainHead(
                RowReader.userId(row),
                row.getLong("chain_seq"),
                hash == null ? ChainHead.GENESIS_HASH : hash,
                RowReader.instant(row, "chain_created_at"));
    }

    /**
     * The row as last committed, with the end of the chain as it is; one of nothing for a user without. Its number of
     * decisions is that of the stored row.
     */
    public static AccountRow find(Reads reads, UserId user) {
        return reads.connected(connection -> find(connection, user));
    }

    public static AccountRow find(Connection connection, UserId user) throws SQLException {
        return Reads.list(
                        connection,
                        "SELECT " + HEAD + BESIDE_HEAD
                                + " LEFT JOIN (SELECT * FROM policy_event WHERE user_id = ?"
                                + " ORDER BY user_id DESC, seq DESC LIMIT 1) AS e ON e.user_id = a.user_id"
                                + " WHERE a.user_id = ?",
                        AccountRow::read,
                        user.value(),
                        user.value())
                .stream()
                .findFirst()
                .orElseGet(() -> none(user));
    }

    /** The same account with one more decision, the last event of its chain. */
    public AccountRow grownTo(ChainHead end) {
        DailyDecisions more = decided.at(end.createdAt()).plus(1);
        return new AccountRow(
                end,
                storedSeq,
                ipsVersion,
                portfolioRev,
                keysRev,
                requestsRev,
                connectionsRev,
                scheduledRev,
                signingKeyId,
                changes,
                more,
                written,
                flows,
                connections,
                passkeys);
    }

    public UserId userId() {
        return head.userId();
    }
}
