package dev.agentpolicy.adapter.jdbc.sql;

import java.time.Instant;
import java.util.Optional;

/** How far the nodes have got with something, kept in the database. It never goes back. */
public record Progress(Reads reads, String name) {
    public Optional<Instant> reached() {
        return reads.first(
                "SELECT reached FROM progress WHERE name = ?", row -> RowReader.instant(row, "reached"), name);
    }

    public void advance(Instant to) {
        if (reads.update("UPDATE progress SET reached = ? WHERE name = ? AND reached < ?", to, name, to) == 0) {
            reads.insert(
                    "INSERT INTO progress(name, reached) SELECT CAST(? AS varchar(64)), CAST(? AS timestamp(6) with time"
                            + " zone) WHERE NOT EXISTS (SELECT 1 FROM progress WHERE name = ?)",
                    name,
                    to,
                    name);
        }
    }
}
