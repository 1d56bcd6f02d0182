package dev.agentpolicy.archfixture.app.config;

import dev.agentpolicy.archfixture.app.TopOfTheApplication;

/** Breaks a rule on purpose: looks into a room above. */
public final class AppConfigLooksUp {
    private final Class<?> above = TopOfTheApplication.class;
}
