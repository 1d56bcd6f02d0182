package dev.agentpolicy.adapter.jdbc.dialect;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tables a group commit writes, in the order it writes them: who changes an account first waits for its row. After them
 * those of the transparency log.
 */
public enum Table {
    ACCOUNT(
            "account",
            1,
            true,
            "user_id uuid, chain_seq bigint, chain_hash bytea, chain_created_at timestamptz, "
                    + "ips_version integer, portfolio_rev bigint, keys_rev bigint, requests_rev bigint, "
                    + "connections_rev bigint, scheduled_rev bigint, signing_key_id varchar, changes bigint, "
                    + "decided_day date, decided bigint"),
    /** A column of accounts that is written only when it changes. */
    CONNECTIONS("account", 1, true, "user_id uuid, connections varchar"),
    /** Likewise. */
    PASSKEYS("account", 1, true, "user_id uuid, passkeys varchar, scheduled_at timestamptz"),
    /** Likewise. */
    OWNER_WRITES(
            "account",
            1,
            true,
            "user_id uuid, written_day date, written_ips bigint, written_ips_bytes bigint, "
                    + "written_holdings bigint"),
    /** Likewise. */
    FLOWS("account", 1, true, "user_id uuid, flows varchar"),
    IPS_VERSION("ips_version", 2, false, "user_id uuid, version integer, document varchar, created_at timestamptz"),
    PORTFOLIO_REVISION(
            "portfolio_revision",
            2,
            false,
            "user_id uuid, revision bigint, as_of timestamptz, as_of_day date, total_usd varchar, "
                    + "peak_usd varchar, document varchar"),
    AGENT_KEY(
            "agent_key",
            2,
            true,
            "user_id uuid, agent_key_id uuid, name varchar, key_type varchar, scopes varchar, "
                    + "policy varchar, paused boolean, networks varchar, credential_hash varchar, "
                    + "previous_hash varchar, previous_until timestamptz, last4 varchar, created_at timestamptz, "
                    + "expires_at timestamptz, rotated_at timestamptz, revoked_at timestamptz, client_id varchar, "
                    + "client_host varchar"),
    TALLY(
            "tally",
            2,
            true,
            "user_id uuid, agent_key_id uuid, tally_day date, calls bigint, usd varchar, "
                    + "pending_buys varchar, completed_buys varchar, completed_sells varchar, pending bigint"),
    DAILY_CALL("daily_call", 3, true, "user_id uuid, agent_key_id uuid, call_day date, calls bigint"),
    SERVICE_REQUEST(
            "service_request",
            2,
            true,
            "user_id uuid, id bigint, status varchar, created_at timestamptz, expires_at timestamptz, "
                    + "accepted_at timestamptz, unconfirmed_since timestamptz, document varchar, "
                    + "agent_key_id uuid, is_attested boolean, unsigned_at timestamptz"),
    CUSTODIAN_FILL(
            "custodian_fill",
            3,
            false,
            "user_id uuid, custodian_id varchar, fill_id varchar, request_id bigint, place bigint, "
                    + "symbol varchar, document varchar"),
    IDEMPOTENCY(
            "idempotency",
            3,
            true,
            "user_id uuid, agent_key_id uuid, idempotency_key varchar, request_id bigint, "
                    + "asked_hash varchar, created_at timestamptz"),
    POLICY_EVENT(
            "policy_event",
            2,
            false,
            "user_id uuid, seq bigint, created_at timestamptz, event_id uuid, agent_key_id uuid, "
                    + "kind smallint, signing_key smallint, allowed boolean, hash bytea, payload_hash bytea, signature bytea, payload_canonical varchar"),
    TLOG_TILE("tlog_tile", 3, true, "log_number integer, level smallint, tile_index bigint, data bytea"),
    TLOG_ROW("tlog_row", 2, true, "user_id uuid, seq bigint, entry_index bigint");

    private final String sqlName;
    private final int keys;
    private final boolean isReplaced;

    @SuppressWarnings("ImmutableEnumChecker") // The list is unmodifiable.
    private final List<Column> columns;

    /**
     * A table.
     *
     * @param keys how many of the columns, the first ones, are the primary key
     * @param isReplaced whether a row may take the place of an earlier one; other rows are written once
     */
    Table(String sqlName, int keys, boolean isReplaced, String columns) {
        this.sqlName = sqlName;
        this.keys = keys;
        this.isReplaced = isReplaced;
        this.columns = Stream.of(columns.split(", ")).map(Column::of).toList();
    }

    public String sqlName() {
        return sqlName;
    }

    boolean isReplaced() {
        return isReplaced;
    }

    public List<Column> columns() {
        return columns;
    }

    public List<Column> keyColumns() {
        return columns.subList(0, keys);
    }

    /** Whether its rows lie with their users in a database that is distributed. */
    boolean isByUser() {
        return this != TLOG_TILE && this != TLOG_ROW;
    }

    /**
     * One column.
     *
     * @param type of the values that are given, as arrays of it are called
     */
    public record Column(String name, String type) {

        static Column of(String text) {
            String[] parts = text.split(" ", 2);
            return new Column(parts[0], parts[1]);
        }

        /** An array of the class that the driver of PostgreSQL sends as bytes, where it can. */
        @Nullable
        public Object[] array(int length) {
            return array(type, length);
        }

        @Nullable
        public static Object[] array(String type, int length) {
            return switch (type) {
                case "varchar" -> new String[length];
                case "bigint" -> new Long[length];
                case "integer" -> new Integer[length];
                case "smallint" -> new Short[length];
                case "bytea" -> new byte[length][];
                case "boolean" -> new Boolean[length];
                default -> new Object[length];
            };
        }

        /** The parameter of a statement for an array of it. */
        String parameter() {
            return "CAST(? AS " + (type.equals("timestamptz") ? "timestamp(6) with time zone" : type) + " ARRAY)";
        }
    }
}
