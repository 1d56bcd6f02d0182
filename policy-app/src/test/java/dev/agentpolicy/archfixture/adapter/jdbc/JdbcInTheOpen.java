package dev.agentpolicy.archfixture.adapter.jdbc;

import dev.agentpolicy.archfixture.domain.port.PortInTheOpen;

/** Breaks no rule itself: an implementation of a port, which the application must not know. */
public final class JdbcInTheOpen implements PortInTheOpen {}
