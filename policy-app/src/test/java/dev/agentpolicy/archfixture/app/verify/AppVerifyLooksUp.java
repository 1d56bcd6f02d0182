package dev.agentpolicy.archfixture.app.verify;

import dev.agentpolicy.archfixture.app.TopOfTheApplication;

/** Breaks a rule on purpose: looks into a room above. */
public final class AppVerifyLooksUp {
    private final Class<?> above = TopOfTheApplication.class;
}
