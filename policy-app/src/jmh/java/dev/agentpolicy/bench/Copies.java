package dev.agentpolicy.bench;

import dev.agentpolicy.bench.Cluster.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes an account large with copies of its last decision, while no service has its database. They are read as any other,
 * but their hashes do not link.
 */
record Copies(Database database, String url) {
    private static final int AT_ONCE = 100_000;

    void add(String user, int rows) {
        List<String> statements = new ArrayList<>();
        String last = "(SELECT * FROM policy_event WHERE user_id = '" + user
                + "' ORDER BY user_id DESC, seq DESC LIMIT 1) AS t";
        for (int done = 0; done < rows; done += AT_ONCE) {
            statements.add("INSERT INTO policy_event SELECT t.user_id, t.seq + g.n, t.created_at, "
                    + eventId() + ", t.agent_key_id, t.kind, t.signing_key, t.allowed, t.hash, t.payload_hash,"
                    + " t.signature, t.payload_canonical FROM " + last + " CROSS JOIN "
                    + numbers(Math.min(AT_ONCE, rows - done)));
        }
        statements.add("UPDATE account SET chain_seq = (SELECT seq FROM " + last + "), chain_hash = (SELECT hash FROM "
                + last + "), changes = changes + 1 WHERE user_id = '" + user + "'");
        statements.add(database == Database.H2 ? "ANALYZE" : "VACUUM ANALYZE policy_event");
        execute(statements);
    }

    private void execute(List<String> statements) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private String eventId() {
        return database == Database.H2 ? "random_uuid(7)" : "gen_random_uuid()";
    }

    private String numbers(int most) {
        return (database == Database.H2 ? "system_range" : "generate_series") + "(1, " + most + ") AS g(n)";
    }
}
