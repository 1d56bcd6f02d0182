package dev.agentpolicy.app;

import java.util.Collection;

/** What became of some of the calls that were made before something died. */
interface Afterwards {
    /** Holds everything that was asked since the last time against the service and the log, which was just read. */
    void hold(Queue queue, Collection<SentProposal> asked);

    /** Looks at everything once more, in the end; the log was just read. */
    void close(Queue queue);
}
