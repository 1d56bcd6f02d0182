package dev.agentpolicy.archfixture.app.guard;

import dev.agentpolicy.archfixture.app.TopOfTheApplication;

/** Breaks a rule on purpose: looks into a room above. */
public final class AppGuardLooksUp {
    private final Class<?> above = TopOfTheApplication.class;
}
