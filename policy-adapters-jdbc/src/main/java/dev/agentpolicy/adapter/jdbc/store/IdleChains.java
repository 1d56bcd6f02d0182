package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.commit.JdbcAccounts;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Chains whose next row must be signed by a retired or revoked key, because nothing was added to them since. */
public record IdleChains(Reads reads, JdbcAccounts accounts) {

    /** Rolls some chains over to the present key; completes with how many, which is 0 if none is left. */
    public CompletionStage<Integer> rollover(int limit) {
        List<UserId> idle = reads.list(
                "SELECT user_id FROM account WHERE signing_key_id IN (SELECT kid FROM signing_key"
                        + " WHERE purpose = ? AND status IN (?, ?)) LIMIT ?",
                RowReader::userId,
                Purpose.EVENT.wireName(),
                KeyStatus.RETIRED.wireName(),
                KeyStatus.REVOKED.wireName(),
                limit);
        CompletableFuture<?>[] changes = idle.stream()
                .map(user -> accounts.rollover(user).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(changes).thenApply(done -> idle.size());
    }
}
