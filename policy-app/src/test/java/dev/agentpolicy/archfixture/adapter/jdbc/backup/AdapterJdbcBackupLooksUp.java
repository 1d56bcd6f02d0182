package dev.agentpolicy.archfixture.adapter.jdbc.backup;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcBackupLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
