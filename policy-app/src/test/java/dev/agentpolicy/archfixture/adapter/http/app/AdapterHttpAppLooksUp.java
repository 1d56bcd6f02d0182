package dev.agentpolicy.archfixture.adapter.http.app;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpAppLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
