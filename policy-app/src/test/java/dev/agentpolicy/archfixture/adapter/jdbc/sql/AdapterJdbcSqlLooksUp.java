package dev.agentpolicy.archfixture.adapter.jdbc.sql;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcSqlLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
