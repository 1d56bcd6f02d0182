package dev.agentpolicy.archfixture.adapter.http;

import dev.agentpolicy.archfixture.adapter.jdbc.JdbcAsksAround;

/** Breaks a rule on purpose: an adapter uses another. */
public final class HttpAsksAround {
    private final Class<?> other = JdbcAsksAround.class;
}
