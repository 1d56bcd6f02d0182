package dev.agentpolicy.archfixture.adapter.custodian;

import dev.agentpolicy.archfixture.adapter.http.HttpAsksAround;

/** Breaks a rule on purpose: an adapter uses another. */
public final class CustodianAsksAround {
    private final Class<?> other = HttpAsksAround.class;
}
