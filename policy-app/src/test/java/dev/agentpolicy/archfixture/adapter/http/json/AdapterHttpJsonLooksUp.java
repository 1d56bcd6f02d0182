package dev.agentpolicy.archfixture.adapter.http.json;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpJsonLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
