package dev.agentpolicy.adapter.jdbc.connect;

import java.time.Duration;

/** Is called after every commit, on the thread of a lane, so it must return quickly. */
@FunctionalInterface
public interface CommitObserver {
    CommitObserver NONE = (changes, events, took) -> {};

    /**
     * Called when a batch is durable.
     *
     * @param changes the number of changes that were applied
     * @param events the number of events that were written
     * @param took the time from asking for a connection until the batch was durable
     */
    void committed(int changes, int events, Duration took);
}
