package dev.agentpolicy.archfixture.adapter.jdbc;

import dev.agentpolicy.archfixture.app.KnowsEverybody;
import dev.agentpolicy.archfixture.domain.decision.AsksTheDatabase;

/** Breaks a rule on purpose: an adapter uses the application. */
public final class JdbcAsksAround {
    private final Class<?> domain = AsksTheDatabase.class;
    private final Class<?> application = KnowsEverybody.class;
}
