package dev.agentpolicy.archfixture.domain.decision;

import dev.agentpolicy.archfixture.adapter.jdbc.JdbcAsksAround;

/** Breaks a rule on purpose: the domain uses an adapter, which uses the domain: a cycle. */
public final class AsksTheDatabase {
    private final Class<?> adapter = JdbcAsksAround.class;
}
