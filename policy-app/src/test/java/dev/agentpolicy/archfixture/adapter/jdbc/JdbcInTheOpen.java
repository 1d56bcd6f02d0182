package dev.agentpolicy.archfixture.adapter.jdbc;

import dev.agentpolicy.archfixture.domain.port.PortInTheOpen;

/** Breaks a rule on purpose: an implementation that others can see. */
public final class JdbcInTheOpen implements PortInTheOpen {}
