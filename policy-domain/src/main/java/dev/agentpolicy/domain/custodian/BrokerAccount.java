package dev.agentpolicy.domain.custodian;

/**
 * An account at a broker, as it presents itself.
 *
 * @param id given by the broker; two connections with one id lead to the same account
 */
public record BrokerAccount(String id) {}
