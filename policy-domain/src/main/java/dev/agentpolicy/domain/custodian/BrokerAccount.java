package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;

/**
 * An account at a broker, as it presents itself. Two connections that lead to equal ones lead to the same account.
 *
 * @param kind of the broker
 * @param id given by the broker
 */
public record BrokerAccount(CustodianKind kind, String id) {}
