package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.DailyCalls;
import java.time.LocalDate;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counts the calls of test keys with a daily call cap, on this node. */
record SandboxDailyCalls(Sandbox sandbox) implements DailyCalls {

    @Override
    public CompletionStage<OptionalLong> count(UserId account, AgentKeyId key, LocalDate day, int cap) {
        return CompletableFuture.completedStage(sandbox.account(account).count(key, day, cap));
    }

    @Override
    public long counted(UserId account, AgentKeyId key, LocalDate day) {
        return sandbox.account(account).counted(key, day);
    }
}
