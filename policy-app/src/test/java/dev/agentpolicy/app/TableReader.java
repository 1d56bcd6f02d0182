package dev.agentpolicy.app;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads tables of a database directly, not through the service. */
final class TableReader {
    /** Telemetry, which test keys leave too, and the flight book of the schema. */
    private static final List<String> NOT_COUNTED =
            List.of("recent_call", "usage_day", "usage_path", "usage_key", "usage_flush", "flyway_schema_history");

    private TableReader() {}

    /** The number of rows of every table, by its name. */
    static Map<String, Long> counts(String url) throws SQLException {
        Map<String, Long> counts = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String table : names(connection)) {
                try (ResultSet count = statement.executeQuery("SELECT count(*) FROM \"" + table + "\"")) {
                    count.next();
                    counts.put(table, count.getLong(1));
                }
            }
        }
        return counts;
    }

    private static List<String> names(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet tables = connection
                .getMetaData()
                .getTables(null, connection.getSchema(), "%", new String[] {"TABLE", "BASE TABLE"})) {
            while (tables.next()) {
                String name = tables.getString("TABLE_NAME");
                if (!NOT_COUNTED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
