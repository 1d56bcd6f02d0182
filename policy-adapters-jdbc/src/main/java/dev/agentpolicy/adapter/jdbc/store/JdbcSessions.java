package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.port.Sessions;
import java.time.Instant;
import java.util.Optional;

/** Stores sessions, shared by all nodes. */
public record JdbcSessions(Reads reads) implements Sessions {

    @Override
    public void open(String tokenHash, StoredSession session) {
        reads.change(
                handle -> handle.createUpdate("INSERT INTO app_session(token_hash, user_id, last_used_at, expires_at)"
                                + " VALUES (:token, :user, :used, :expires)")
                        .bind("token", tokenHash)
                        .bind("user", session.userId().value())
                        .bind("used", session.lastUsedAt())
                        .bind("expires", session.expiresAt())
                        .execute());
    }

    @Override
    public Optional<StoredSession> find(String tokenHash) {
        return reads.with(handle -> handle.createQuery(
                        "SELECT user_id, last_used_at, expires_at FROM app_session WHERE token_hash = :token")
                .bind("token", tokenHash)
                .map((row, context) -> new StoredSession(
                        RowReader.userId(row),
                        RowReader.instant(row, "last_used_at"),
                        RowReader.instant(row, "expires_at")))
                .findOne());
    }

    @Override
    public void use(String tokenHash, Instant at) {
        reads.change(handle -> handle.createUpdate(
                        "UPDATE app_session SET last_used_at = :at WHERE token_hash = :token AND last_used_at < :at")
                .bind("token", tokenHash)
                .bind("at", at)
                .execute());
    }

    @Override
    public void close(String tokenHash) {
        reads.change(handle -> handle.createUpdate("DELETE FROM app_session WHERE token_hash = :token")
                .bind("token", tokenHash)
                .execute());
    }

    @Override
    public int removeEnded(Instant now, Instant unusedSince) {
        return reads.change(handle -> handle.createUpdate(
                        "DELETE FROM app_session WHERE expires_at <= :now OR last_used_at <= :unused")
                .bind("now", now)
                .bind("unused", unusedSince)
                .execute());
    }
}
