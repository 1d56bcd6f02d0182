package dev.agentpolicy.archfixture.app;

import dev.agentpolicy.archfixture.adapter.jdbc.JdbcInTheOpen;

/** Breaks a rule on purpose: uses an implementation where the port is meant. */
final class KnowsTheImplementation {
    private final JdbcInTheOpen accounts = new JdbcInTheOpen();
}
