package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.connect.Connections.PostgresTransport;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.domain.port.CallCounter;
import org.jspecify.annotations.Nullable;

/** Counts calls for rate limits, in this process or in a store that all nodes share. */
public interface CallCounters extends AutoCloseable {

    /** Counts only the calls to this process. */
    static CallCounters inProcess(int perSecond) {
        return new WindowCounter(perSecond);
    }

    /**
     * Counts in a database. Starts also while the database is unavailable, and admits all calls until it is available.
     *
     * @param url of H2 or PostgreSQL; its table is created when it is missing
     * @param user null when the URL contains it or none is needed
     * @param password null when the URL contains it or none is needed
     * @throws UnusableDatabase when the URL is for another database
     */
    static CallCounters shared(String url, @Nullable String user, @Nullable String password, int perSecond) {
        PostgresTransport.warnIfOpen(url);
        return SharedWindowCounter.start(
                RateTable.Address.of(url, user, password), perSecond, SharedWindowCounter.DEFAULT_PATIENCE);
    }

    CallCounter counter();

    /** Whether calls are admitted uncounted because the shared store does not answer. */
    default boolean isStoreAway() {
        return false;
    }

    /** Calls admitted uncounted since the start. */
    default long uncounted() {
        return 0;
    }

    @Override
    default void close() {}
}
