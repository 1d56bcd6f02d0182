package dev.agentpolicy.archfixture.adapter.jdbc.distribution;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcDistributionLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
