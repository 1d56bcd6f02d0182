package dev.agentpolicy.app.config;

import ch.qos.logback.classic.Level;

/** The calls that the log has a line for. A call that failed because of the service always has one. */
enum LogCalls {
    NONE,
    /** Those answered with a status of 400 or more. */
    REFUSED,
    ALL;

    Level level() {
        return switch (this) {
            case NONE -> Level.OFF;
            case REFUSED -> Level.INFO;
            case ALL -> Level.DEBUG;
        };
    }
}
