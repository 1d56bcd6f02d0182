package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Sessions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores sessions, shared by all nodes. */
public record JdbcSessions(Reads reads) implements Sessions {

    @Override
    public void open(String tokenHash, StoredSession session) {
        reads.change(
                handle -> handle.createUpdate("INSERT INTO app_session(token_hash, session_id, user_id, created_at,"
                                + " last_used_at, expires_at, address, agent)"
                                + " VALUES (:token, :id, :user, :created, :used, :expires, :address, :agent)")
                        .bind("token", tokenHash)
                        .bind("id", session.id())
                        .bind("created", session.createdAt())
                        .bind("address", session.origin().address())
                        .bind("agent", session.origin().agent())
                        .bind("user", session.userId().value())
                        .bind("used", session.lastUsedAt())
                        .bind("expires", session.expiresAt())
                        .execute());
    }

    @Override
    public Optional<StoredSession> find(String tokenHash) {
        return reads.with(handle -> handle.createQuery("SELECT * FROM app_session WHERE token_hash = :token")
                .bind("token", tokenHash)
                .map((row, context) -> session(row))
                .findOne());
    }

    static StoredSession session(ResultSet row) throws SQLException {
        return new StoredSession(
                row.getObject("session_id", UUID.class),
                RowReader.userId(row),
                RowReader.instant(row, "created_at"),
                RowReader.instant(row, "last_used_at"),
                RowReader.instant(row, "expires_at"),
                new SessionOrigin(row.getString("address"), row.getString("agent")));
    }

    @Override
    public List<StoredSession> of(UserId user) {
        return reads.with(handle -> handle.createQuery(
                        "SELECT * FROM app_session WHERE user_id = :user ORDER BY created_at DESC, session_id DESC")
                .bind("user", user.value())
                .map((row, context) -> session(row))
                .list());
    }

    @Override
    public boolean close(UserId user, UUID id) {
        return reads.change(handle -> handle.createUpdate(
                                "DELETE FROM app_session WHERE user_id = :user AND session_id = :id")
                        .bind("user", user.value())
                        .bind("id", id)
                        .execute())
                > 0;
    }

    @Override
    public void closeAll(UserId user, @Nullable String except) {
        reads.change(
                handle -> handle.createUpdate("DELETE FROM app_session WHERE user_id = :user AND token_hash <> :except")
                        .bind("user", user.value())
                        .bind("except", except == null ? "" : except)
                        .execute());
    }

    /** A statement of its own, so that of several sign-ins at once the last one sees the sessions of all. */
    @Override
    public void closeBeyond(UserId user, String kept, Instant now, int max) {
        reads.change(handle -> handle.createUpdate("DELETE FROM app_session WHERE token_hash IN"
                        + " (SELECT token_hash FROM app_session WHERE user_id = :user AND token_hash <> :kept"
                        + " AND expires_at > :now ORDER BY last_used_at DESC, token_hash OFFSET :max ROWS)")
                .bind("user", user.value())
                .bind("kept", kept)
                .bind("now", now)
                .bind("max", max - 1)
                .execute());
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
