package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.port.DailyCalls;

/**
 * The use cases that serve an agent. There are two desks made of the same classes: one on the users' accounts, one on
 * the sandbox.
 *
 * @param validateTrade answers "may I?"
 * @param proposeTrade queues a trade for the user
 * @param readState the mandate and the holdings
 * @param readAudit recent decisions
 * @param readEvents the signed chain
 * @param dailyCalls counts calls of keys with a daily call cap that lead to no decision
 * @param isSandbox whether answers are to be marked as such
 */
public record AgentUseCases(
        ValidateTrade validateTrade,
        ProposeTrade proposeTrade,
        ReadState readState,
        ReadAudit readAudit,
        ReadEvents readEvents,
        DailyCalls dailyCalls,
        boolean isSandbox) {}
