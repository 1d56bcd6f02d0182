package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Word;

/** What a user is told by mail when a request waits. */
public enum RequestMails implements Word {
    /** Nothing. */
    OFF,
    /** That a request waits, without amounts. */
    PLAIN,
    /** The same with what is to be traded, and for how much. */
    WITH_AMOUNTS
}
