package dev.agentpolicy.app;

import java.util.Collection;

/** Checks, after a kill, the effects of one kind of calls that were made before it. */
interface RecoveryCheck {
    /** Compares the calls since the last check with the service and with the log, which was just read. */
    void hold(ProposalClient queue, Collection<NumberedCall> asked);

    /** Checks everything once more at the end; the log was just read. */
    void close(ProposalClient queue);
}
