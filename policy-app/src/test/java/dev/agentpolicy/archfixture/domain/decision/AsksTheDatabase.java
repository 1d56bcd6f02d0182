package dev.agentpolicy.archfixture.domain.decision;

import dev.agentpolicy.archfixture.adapter.jdbc.JdbcAsksAround;

/** Breaks a rule on purpose: the domain knows no adapter, and the adapter knows it: a cycle. */
public final class AsksTheDatabase {
    private final Class<?> adapter = JdbcAsksAround.class;
}
