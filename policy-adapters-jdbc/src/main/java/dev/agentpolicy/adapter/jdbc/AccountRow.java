package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.ChainHead;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The small row that stands for a whole account.
 *
 * @param head where the chain ends
 * @param ipsVersion in force, 0 for none
 * @param portfolioRev the present one, 0 for none
 * @param keysRev grows with every change of a key
 * @param signingKeyId the key that must sign the next row, null while the chain is empty
 * @param changes how often anything was recorded
 */
record AccountRow(
        ChainHead head,
        int ipsVersion,
        long portfolioRev,
        long keysRev,
        @Nullable String signingKeyId,
        long changes) {
    static final String COLUMNS =
            "user_id, chain_seq, chain_hash, chain_created_at, ips_version, portfolio_rev, keys_rev, signing_key_id, changes";

    static AccountRow none(UserId user) {
        return new AccountRow(ChainHead.genesis(user), 0, 0, 0, null, 0);
    }

    static AccountRow read(ResultSet row) throws SQLException {
        ChainHead head = new ChainHead(
                Rows.userId(row),
                row.getLong("chain_seq"),
                row.getString("chain_hash"),
                Rows.instant(row, "chain_created_at"));
        return new AccountRow(
                head,
                row.getInt("ips_version"),
                row.getLong("portfolio_rev"),
                row.getLong("keys_rev"),
                row.getString("signing_key_id"),
                row.getLong("changes"));
    }

    /** The row as last committed; one of nothing for a user without. */
    static AccountRow find(Reads reads, UserId user) {
        return reads.connected(connection -> find(connection, user));
    }

    static AccountRow find(Connection connection, UserId user) throws SQLException {
        return Reads.list(
                        connection,
                        "SELECT " + COLUMNS + " FROM account WHERE user_id = ?",
                        AccountRow::read,
                        user.value())
                .stream()
                .findFirst()
                .orElseGet(() -> none(user));
    }

    UserId userId() {
        return head.userId();
    }
}
