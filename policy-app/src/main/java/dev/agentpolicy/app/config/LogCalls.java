package dev.agentpolicy.app.config;

import ch.qos.logback.classic.Level;

/** The calls that the log has a line for. A call that failed because of the service always has one. */
enum LogCalls {
    NONE(Level.OFF),
    /** Those answered with a status of 400 or more. */
    REFUSED(Level.INFO),
    ALL(Level.DEBUG);

    private final Level level;

    LogCalls(Level level) {
        this.level = level;
    }

    Level level() {
        return level;
    }
}
