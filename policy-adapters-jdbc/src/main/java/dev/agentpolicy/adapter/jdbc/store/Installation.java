package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import java.util.Optional;
import java.util.UUID;

/** The id of an installation, stored in its database and therefore in every copy of that database. */
public record Installation(Reads reads) {

    public Optional<UUID> id() {
        return reads.first("SELECT id FROM installation", row -> row.getObject(1, UUID.class));
    }

    /** Stores an id unless the database has one. When several nodes start at once, all get the same id. */
    public UUID establish(UUID drawn) {
        return id().or(() -> reads.insert("INSERT INTO installation(id) VALUES (?)", drawn) ? Optional.of(drawn) : id())
                .orElseThrow();
    }
}
