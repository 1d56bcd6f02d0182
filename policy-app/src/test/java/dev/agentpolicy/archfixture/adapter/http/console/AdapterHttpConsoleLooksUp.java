package dev.agentpolicy.archfixture.adapter.http.console;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpConsoleLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
