package dev.agentpolicy.archfixture.adapter.http.wire;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpWireLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
