package dev.agentpolicy.archfixture.app.passkey;

import dev.agentpolicy.archfixture.app.TopOfTheApplication;

/** Breaks a rule on purpose: looks into a room above. */
public final class AppPasskeyLooksUp {
    private final Class<?> above = TopOfTheApplication.class;
}
