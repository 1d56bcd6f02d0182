package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.time.LocalDate;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counts the calls of the keys of an {@link InMemoryStore}. */
record InMemoryDailyCalls(InMemoryStore store) implements DailyCalls {

    @Override
    public CompletionStage<OptionalLong> count(UserId account, AgentKeyId key, LocalDate day, int cap) {
        try {
            return CompletableFuture.completedStage(store.account(account).count(key, day, cap));
        } catch (RuntimeException failed) {
            return CompletableFuture.failedStage(failed);
        }
    }

    @Override
    public long counted(UserId account, AgentKeyId key, LocalDate day) {
        return store.account(account).counted(key, day);
    }
}
