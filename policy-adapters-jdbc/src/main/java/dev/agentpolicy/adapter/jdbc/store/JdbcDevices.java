package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Devices;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Stores the browsers that signed in, shared by all nodes. */
public record JdbcDevices(Reads reads) implements Devices {

    @Override
    public void remember(String tokenHash, UserId user, Instant now, int max) {
        reads.change(handle -> {
            if (prolong(handle, tokenHash, user, now) == 0) {
                insert(handle, tokenHash, user, now);
            }
            return removeBeyond(handle, user, max);
        });
    }

    private static int prolong(Handle handle, String tokenHash, UserId user, Instant now) {
        return handle.createUpdate(
                        "UPDATE app_device SET last_used_at = :now WHERE token_hash = :token AND user_id = :user")
                .bind("token", tokenHash)
                .bind("user", user.value())
                .bind("now", now)
                .execute();
    }

    private static void insert(Handle handle, String tokenHash, UserId user, Instant now) {
        handle.createUpdate("INSERT INTO app_device(token_hash, user_id, last_used_at) VALUES (:token, :user, :now)")
                .bind("token", tokenHash)
                .bind("user", user.value())
                .bind("now", now)
                .execute();
    }

    private static int removeBeyond(Handle handle, UserId user, int max) {
        return handle.createUpdate("DELETE FROM app_device WHERE token_hash IN (SELECT token_hash FROM app_device"
                        + " WHERE user_id = :user ORDER BY last_used_at DESC, token_hash OFFSET :max ROWS)")
                .bind("user", user.value())
                .bind("max", max)
                .execute();
    }

    @Override
    public Optional<UserId> find(String tokenHash, Instant usedAfter) {
        return reads.with(handle -> handle.createQuery(
                        "SELECT user_id FROM app_device WHERE token_hash = :token AND last_used_at > :after")
                .bind("token", tokenHash)
                .bind("after", usedAfter)
                .map((row, context) -> RowReader.userId(row))
                .findOne());
    }

    @Override
    public void forget(UserId user, @Nullable String except) {
        reads.change(
                handle -> handle.createUpdate("DELETE FROM app_device WHERE user_id = :user AND token_hash <> :except")
                        .bind("user", user.value())
                        .bind("except", except == null ? "" : except)
                        .execute());
    }

    @Override
    public int removeUnused(Instant since) {
        return reads.change(handle -> handle.createUpdate("DELETE FROM app_device WHERE last_used_at <= :since")
                .bind("since", since)
                .execute());
    }
}
