package dev.agentpolicy.archfixture.adapter.jdbc.commit;

import dev.agentpolicy.archfixture.adapter.jdbc.TopOfTheStore;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterJdbcCommitLooksUp {
    private final Class<?> above = TopOfTheStore.class;
}
