package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AccountRemoval;
import java.util.List;

/** Removes the rows of a user from all tables but those of the chain. */
public record JdbcAccountRemoval(Transactions transactions) implements AccountRemoval {
    /** The row stays, since the chain goes on when its signing key changes; it refers to nothing that is removed. */
    private static final String RESET =
            "UPDATE account SET ips_version = 0, portfolio_rev = 0, connections = NULL, passkeys = NULL, scheduled_at = NULL, flows = NULL,"
                    + " log_secret = NULL,"
                    + " connections_rev = connections_rev + 1, keys_rev = keys_rev + 1, requests_rev = requests_rev + 1,"
                    + " changes = changes + 1 WHERE user_id = ?";

    private static final List<String> TABLES = List.of(
            "ips_version",
            "portfolio_revision",
            "tally",
            "daily_call",
            "idempotency",
            "service_request",
            "agent_key",
            "key_route",
            "custodian",
            "custodian_fill",
            "broker_account",
            "tlog_row",
            "paper_order",
            "paper_book",
            "policy_rehearsal",
            "recent_call",
            "usage_day",
            "usage_path",
            "usage_key",
            "mail_token",
            "passkey_challenge",
            "oauth_request",
            "oauth_token",
            "app_device",
            "push_device",
            "app_session",
            "app_user");

    @Override
    public void remove(UserId user) {
        transactions.inOne(connection -> {
            int changed = Transactions.update(connection, RESET, user.value());
            for (String table : TABLES) {
                changed += Transactions.update(connection, "DELETE FROM " + table + " WHERE user_id = ?", user.value());
            }
            return changed;
        });
    }
}
