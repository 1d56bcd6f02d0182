package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import java.util.Properties;
import java.util.stream.Stream;

/** The SQL that differs between the databases that can count calls. */
enum RateDialect {
    H2(
            "jdbc:h2:",
            "CREATE TABLE IF NOT EXISTS " + RateDialect.COLUMNS,
            "SELECT caller, window_second, calls FROM FINAL TABLE (MERGE INTO rate_window AS w USING ("
                    + RateDialect.ROWS
                    + ") AS v ON w.caller = v.caller AND w.window_second = v.window_second"
                    + " WHEN MATCHED THEN UPDATE SET calls = w.calls + v.calls"
                    + " WHEN NOT MATCHED THEN INSERT (caller, window_second, calls)"
                    + " VALUES (v.caller, v.window_second, v.calls))"),
    POSTGRES(
            "jdbc:postgresql:",
            "CREATE UNLOGGED TABLE IF NOT EXISTS " + RateDialect.COLUMNS + " WITH (fillfactor = 50)",
            "INSERT INTO rate_window AS w (caller, window_second, calls) " + RateDialect.ROWS
                    + " ON CONFLICT (caller, window_second) DO UPDATE SET calls = w.calls + excluded.calls"
                    + " RETURNING caller, window_second, calls");

    /** Deletes expired windows by the clock of the database, because the clocks of nodes may differ. */
    static final String DELETING_OLD =
            "DELETE FROM rate_window WHERE opened_at < CURRENT_TIMESTAMP - INTERVAL '30' SECOND";

    private static final String COLUMNS = "rate_window (caller varchar NOT NULL, window_second bigint NOT NULL,"
            + " calls bigint NOT NULL, opened_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,"
            + " PRIMARY KEY (caller, window_second))";
    private static final String ROWS = "SELECT * FROM unnest(CAST(? AS varchar ARRAY), CAST(? AS bigint ARRAY),"
            + " CAST(? AS bigint ARRAY)) AS v(caller, window_second, calls)";

    private final String prefix;
    private final String creating;
    private final String counting;

    RateDialect(String prefix, String creating, String counting) {
        this.prefix = prefix;
        this.creating = creating;
        this.counting = counting;
    }

    /**
     * The dialect of a database.
     *
     * @throws UnusableDatabase when the URL is for another database
     */
    static RateDialect of(String url) {
        return Stream.of(values())
                .filter(dialect -> url.startsWith(dialect.prefix))
                .findFirst()
                .orElseThrow(() -> new UnusableDatabase(
                        "The rate limit URL must begin with jdbc:h2: or jdbc:postgresql:, or be empty to count in"
                                + " process.",
                        null));
    }

    /** Creates the table if it is missing. On PostgreSQL it is unlogged: a count is worthless after a second. */
    String creating() {
        return creating;
    }

    /** Adds calls to any number of windows and returns their counts; takes one array for each column. */
    String counting() {
        return counting;
    }

    /** Driver properties; the timeouts are short because calls must not wait long for a dead store. */
    Properties properties() {
        Properties properties = new Properties();
        if (this == POSTGRES) {
            properties.put("ApplicationName", "agent-policy-rate");
            properties.put("connectTimeout", "2");
            properties.put("loginTimeout", "2");
            properties.put("socketTimeout", "2");
            properties.put("tcpKeepAlive", "true");
            properties.put("logServerErrorDetail", "false");
        }
        return properties;
    }
}
