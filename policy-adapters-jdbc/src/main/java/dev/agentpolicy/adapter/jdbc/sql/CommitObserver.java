package dev.agentpolicy.adapter.jdbc.sql;

import java.time.Duration;

/** Hears of every commit; called on the thread of a lane, so it must be quick. */
@FunctionalInterface
public interface CommitObserver {
    CommitObserver NONE = (changes, events, took) -> {};

    /**
     * A batch is durable.
     *
     * @param changes that were applied
     * @param events that were written
     * @param took from asking for a connection to being durable
     */
    void committed(int changes, int events, Duration took);
}
