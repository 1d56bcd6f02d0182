package dev.agentpolicy.adapter.jdbc.usage;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;

/** A row of {@code usage_day}: the calls of a user's agents on one day. */
record StoredDay(long total, long errors, LatencySketch latencies) {

    static StoredDay none() {
        return new StoredDay(0, 0, LatencySketch.empty());
    }

    static StoredDay read(ResultSet row) throws SQLException {
        return new StoredDay(
                row.getLong("total"), row.getLong("errors"), LatencySketch.read(row.getBytes("latencies")));
    }

    static LocalDate date(ResultSet row) throws SQLException {
        return row.getObject("call_day", LocalDate.class);
    }
}
