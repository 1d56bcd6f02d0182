package dev.agentpolicy.archfixture.app;

import java.sql.Connection;

/** Breaks a rule on purpose: SQL is spoken in the database adapter only. */
final class SpeaksSql {
    private final Class<?> sql = Connection.class;
}
