package dev.agentpolicy.archfixture.app.mail;

import dev.agentpolicy.archfixture.app.TopOfTheApplication;

/** Breaks a rule on purpose: looks into a room above. */
public final class AppMailLooksUp {
    private final Class<?> above = TopOfTheApplication.class;
}
