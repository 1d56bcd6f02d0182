package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.port.DailyCalls;

/**
 * The use cases for agents. The service has two sets of them: one for the users' accounts and one for the sandbox.
 *
 * @param validateTrade answers "may I?"
 * @param proposeTrade queues a trade for the user
 * @param readState reads the mandate and the holdings
 * @param readHeadroom computes how much of an asset the key may trade
 * @param readAudit reads recent decisions
 * @param readEvents reads the signed chain
 * @param readLog reads the transparency log
 * @param dailyCalls counts calls of keys with a daily call cap that lead to no decision
 * @param isSandbox whether this is the set for the sandbox
 */
public record AgentUseCases(
        ValidateTrade validateTrade,
        ProposeTrade proposeTrade,
        ReadState readState,
        ReadHeadroom readHeadroom,
        ReadAudit readAudit,
        ReadEvents readEvents,
        ReadLog readLog,
        DailyCalls dailyCalls,
        boolean isSandbox) {}
