package dev.agentpolicy.archfixture.adapter.jdbc.rate;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcRateLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
