package dev.agentpolicy.domain.agent;

import java.util.Locale;

/** What a user is told by mail when a request waits. */
public enum RequestMails {
    /** Nothing. */
    OFF,
    /** That a request waits, without amounts. */
    PLAIN,
    /** The same with what is to be traded, and for how much. */
    WITH_AMOUNTS;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
