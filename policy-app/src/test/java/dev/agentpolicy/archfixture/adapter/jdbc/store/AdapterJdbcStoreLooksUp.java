package dev.agentpolicy.archfixture.adapter.jdbc.store;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcStoreLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
