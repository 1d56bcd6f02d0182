package dev.agentpolicy.archfixture.app.security;

import dev.agentpolicy.archfixture.app.TopOfTheApplication;

/** Breaks a rule on purpose: looks into a room above. */
public final class AppSecurityLooksUp {
    private final Class<?> above = TopOfTheApplication.class;
}
