package dev.agentpolicy.archfixture.adapter.jdbc.usage;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcUsageLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
