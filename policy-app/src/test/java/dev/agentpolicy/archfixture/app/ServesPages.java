package dev.agentpolicy.archfixture.app;

import io.javalin.Javalin;

/** Breaks a rule on purpose: the web is served at the front door only. */
final class ServesPages {
    private final Class<?> web = Javalin.class;
}
