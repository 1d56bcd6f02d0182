package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Word;

/** What a user is told when a request waits. */
public enum RequestNotices implements Word {
    /** Nothing. */
    OFF,
    /** That a request waits, without amounts. */
    PLAIN,
    /** The same with what is to be traded, and for how much. */
    WITH_AMOUNTS
}
