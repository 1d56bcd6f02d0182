package dev.agentpolicy.app;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The orders of the paper custodians, read directly from the database. */
record OrderTable(String database) {

    /** How many orders of a request were filled. */
    int filled(long requestId) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database);
                PreparedStatement query = connection.prepareStatement("SELECT count(*) FROM paper_order"
                        + " WHERE client_order_id LIKE ? AND document LIKE '%\"state\":\"filled\"%'")) {
            query.setString(1, "request-" + requestId + "-%");
            try (ResultSet count = query.executeQuery()) {
                count.next();
                return count.getInt(1);
            }
        }
    }
}
