package dev.agentpolicy.app;

/** How a line of the log looks. */
enum LogFormat {
    /** For people. */
    TEXT,
    /** For machines: one object a line. */
    JSON
}
