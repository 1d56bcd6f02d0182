package dev.agentpolicy.archfixture.adapter.jdbc.async;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcAsyncLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
