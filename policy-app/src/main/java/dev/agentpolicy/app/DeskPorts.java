package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.DailyCalls;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.sandbox.Sandbox;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.AgentUseCases;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.agent.ReadEvents;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom;
import dev.agentpolicy.domain.usecase.agent.ReadLog;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.upkeep.WriteGate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The ports of a desk. The use cases of live keys and of the sandbox differ only in these. */
record DeskPorts(
        Accounts accounts,
        WriteGate decisions,
        AccountReader reader,
        RequestQueue requests,
        EventLog events,
        EventSigner signer,
        DailyCalls dailyCalls,
        KeyCheck keyCheck,
        ToLongFunction<UserId> recorded,
        ReadLog log,
        boolean isSandbox) {

    /**
     * Over the accounts of users.
     *
     * @param accounts of the store
     * @param signer signs the heads of pages
     * @param decisions stops agents' decisions, and nothing else
     * @param recorded the last row of a chain that this node recorded, 0 if none
     * @param log the transparency log
     */
    static DeskPorts live(
            JdbcStore store,
            Accounts accounts,
            EventSigner signer,
            WriteGate decisions,
            ToLongFunction<UserId> recorded,
            ReadLog log) {
        return new DeskPorts(
                accounts,
                decisions,
                store.accountReader(),
                store.requestQueue(),
                store.eventLog(),
                signer,
                store.dailyCalls(),
                KeyCheck.IN_ACCOUNT,
                recorded,
                log,
                false);
    }

    /** Over the accounts of test keys. */
    static DeskPorts sandbox(Sandbox sandbox, EventSigner signer, InstantSource clock) {
        return new DeskPorts(
                sandbox,
                new WriteGate(List.of()),
                sandbox,
                sandbox,
                sandbox,
                signer,
                sandbox,
                KeyCheck.AT_ADMISSION,
                user -> 0,
                new ReadLog(Optional.empty(), sandbox, List::of, Optional.empty(), clock),
                true);
    }

    /**
     * The use cases of agents.
     *
     * @param limits what agents may cause at most
     * @param requestWindow how long a request waits for its user
     */
    AgentUseCases desk(AgentLimits limits, Duration requestWindow, InstantSource clock) {
        Accounts deciding = decisions.guard(accounts);
        return new AgentUseCases(
                new ValidateTrade(deciding, keyCheck, limits),
                new ProposeTrade(deciding, keyCheck, limits, requestWindow),
                new ReadState(reader, dailyCalls, clock),
                new ReadHeadroom(reader, requests, clock),
                new ReadAudit(events, requests),
                new ReadEvents(events, signer, clock, recorded),
                log,
                dailyCalls,
                isSandbox);
    }
}
