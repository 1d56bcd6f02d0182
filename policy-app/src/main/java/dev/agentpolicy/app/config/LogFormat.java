package dev.agentpolicy.app.config;

/** The format of the lines of the log. */
enum LogFormat {
    /** For people. */
    TEXT,
    /** For machines: one object a line. */
    JSON
}
