package dev.agentpolicy.archfixture.adapter.jdbc.log;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcLogLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
