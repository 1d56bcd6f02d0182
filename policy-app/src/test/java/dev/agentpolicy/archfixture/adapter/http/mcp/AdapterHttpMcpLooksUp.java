package dev.agentpolicy.archfixture.adapter.http.mcp;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpMcpLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
