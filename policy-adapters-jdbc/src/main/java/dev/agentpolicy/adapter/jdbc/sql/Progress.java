package dev.agentpolicy.adapter.jdbc.sql;

import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.JdbiException;

/** How far the nodes have got with something, kept in the database. It never goes back. */
public record Progress(Reads reads, String name) {
    private static final String FIRST = "INSERT INTO progress(name, reached) SELECT CAST(? AS varchar(64)),"
            + " CAST(? AS timestamp(6) with time zone) WHERE NOT EXISTS (SELECT 1 FROM progress WHERE name = ?)";

    public Optional<Instant> reached() {
        return reads.first(
                "SELECT reached FROM progress WHERE name = ?", row -> RowReader.instant(row, "reached"), name);
    }

    public void advance(Instant to) {
        try {
            reads.change(handle -> {
                int moved =
                        handle.execute("UPDATE progress SET reached = ? WHERE name = ? AND reached < ?", to, name, to);
                return moved > 0 ? moved : handle.execute(FIRST, name, to, name);
            });
        } catch (JdbiException failed) {
            if (!Reads.isTaken(failed)) {
                throw failed;
            }
        }
    }
}
