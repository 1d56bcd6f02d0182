package dev.agentpolicy.archfixture.adapter.jdbc.connect;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcConnectLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
