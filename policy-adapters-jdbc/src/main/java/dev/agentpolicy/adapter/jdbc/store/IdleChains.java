package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.commit.JdbcAccounts;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Chains whose next row must be signed by a retired or revoked key, because nothing was added to them since. */
public record IdleChains(Reads reads, JdbcAccounts accounts) {

    /** Rolls some chains over to the present key; completes with how many, which is 0 if none is left. */
    public CompletionStage<Integer> rollover(int limit) {
        List<UserId> idle = reads.with(handle -> handle.createQuery(
                        "SELECT user_id FROM account WHERE signing_key_id IN (SELECT kid FROM signing_key"
                                + " WHERE purpose = :purpose AND status IN (:retired, :revoked)) LIMIT :limit")
                .bind("purpose", Purpose.EVENT.wireName())
                .bind("retired", KeyStatus.RETIRED.wireName())
                .bind("revoked", KeyStatus.REVOKED.wireName())
                .bind("limit", limit)
                .map((row, context) -> new UserId(row.getObject("user_id", UUID.class)))
                .list());
        CompletableFuture<?>[] changes = idle.stream()
                .map(user -> accounts.rollover(user).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(changes).thenApply(done -> idle.size());
    }
}
