package dev.agentpolicy.archfixture.adapter.http.route;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpRouteLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
