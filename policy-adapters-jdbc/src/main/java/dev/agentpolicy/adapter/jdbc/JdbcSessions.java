package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Sessions;
import java.time.Instant;
import java.util.Optional;

/** Keeps who is signed in, on any node. */
record JdbcSessions(Reads reads) implements Sessions {

    @Override
    public void open(String tokenHash, UserId user, Instant expiresAt) {
        reads.change(handle -> handle.createUpdate(
                        "INSERT INTO app_session(token_hash, user_id, expires_at) VALUES (:token, :user, :expires)")
                .bind("token", tokenHash)
                .bind("user", user.value())
                .bind("expires", expiresAt)
                .execute());
    }

    @Override
    public Optional<UserId> find(String tokenHash, Instant now) {
        return reads.with(handle -> handle.createQuery(
                        "SELECT user_id FROM app_session WHERE token_hash = :token AND expires_at > :now")
                .bind("token", tokenHash)
                .bind("now", now)
                .map((row, context) -> Rows.userId(row))
                .findOne());
    }

    @Override
    public void close(String tokenHash) {
        reads.change(handle -> handle.createUpdate("DELETE FROM app_session WHERE token_hash = :token")
                .bind("token", tokenHash)
                .execute());
    }

    @Override
    public int removeExpired(Instant now) {
        return reads.change(handle -> handle.createUpdate("DELETE FROM app_session WHERE expires_at <= :now")
                .bind("now", now)
                .execute());
    }
}
