package dev.agentpolicy.archfixture.adapter.jdbc.dialect;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcDialectLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
