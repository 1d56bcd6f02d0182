package dev.agentpolicy.archfixture.adapter.jdbc.cache;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcCacheLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
