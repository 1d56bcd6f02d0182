package dev.agentpolicy.archfixture.app.anchor;

import dev.agentpolicy.archfixture.app.TopOfTheApplication;

/** Breaks a rule on purpose: looks into a room above. */
public final class AppAnchorLooksUp {
    private final Class<?> above = TopOfTheApplication.class;
}
