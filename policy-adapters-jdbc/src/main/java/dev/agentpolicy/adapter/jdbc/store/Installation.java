package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.JdbiException;

/** The id of an installation, stored in its database and therefore in every copy of that database. */
public record Installation(Reads reads) {

    public Optional<UUID> id() {
        return reads.first("SELECT id FROM installation", row -> row.getObject(1, UUID.class));
    }

    /** Stores an id unless the database has one. When several nodes start at once, all get the same id. */
    public UUID establish(UUID drawn) {
        return id().or(() -> store(drawn) ? Optional.of(drawn) : id()).orElseThrow();
    }

    private boolean store(UUID id) {
        try {
            return reads.update("INSERT INTO installation(id) VALUES (?)", id) > 0;
        } catch (JdbiException failed) {
            if (Reads.isTaken(failed)) {
                return false;
            }
            throw failed;
        }
    }
}
