package dev.agentpolicy.app.config;

/** How a line of the log looks. */
enum LogFormat {
    /** For people. */
    TEXT,
    /** For machines: one object a line. */
    JSON
}
