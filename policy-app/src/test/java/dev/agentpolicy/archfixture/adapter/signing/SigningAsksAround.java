package dev.agentpolicy.archfixture.adapter.signing;

import dev.agentpolicy.archfixture.adapter.jdbc.JdbcAsksAround;

/** Breaks a rule on purpose: an adapter uses another. */
public final class SigningAsksAround {
    private final Class<?> other = JdbcAsksAround.class;
}
