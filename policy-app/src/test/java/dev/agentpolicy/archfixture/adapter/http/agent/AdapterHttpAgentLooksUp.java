package dev.agentpolicy.archfixture.adapter.http.agent;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpAgentLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
