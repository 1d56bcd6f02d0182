package dev.agentpolicy.archfixture.adapter.http.metric;

import dev.agentpolicy.archfixture.adapter.http.server.TopOfTheServer;

/** Breaks a rule on purpose: looks into a room above. */
public final class AdapterHttpMetricLooksUp {
    private final Class<?> above = TopOfTheServer.class;
}
