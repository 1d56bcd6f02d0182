package dev.agentpolicy.archfixture.adapter.http.authzen;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpAuthzenLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
