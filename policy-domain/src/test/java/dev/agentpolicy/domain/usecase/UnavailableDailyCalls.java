package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.DailyCalls;
import java.time.LocalDate;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A counter that is unavailable. */
public final class UnavailableDailyCalls implements DailyCalls {

    @Override
    public CompletionStage<OptionalLong> count(UserId account, AgentKeyId key, LocalDate day, int cap) {
        return CompletableFuture.failedStage(new Unavailable("The counts are away."));
    }

    @Override
    public long counted(UserId account, AgentKeyId key, LocalDate day) {
        throw new Unavailable("The counts are away.");
    }
}
