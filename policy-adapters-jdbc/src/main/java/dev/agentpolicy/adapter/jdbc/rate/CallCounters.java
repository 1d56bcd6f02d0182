package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.connect.PostgresTransport;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.domain.port.CallCounter;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts calls for rate limits, in this process or in a store that all nodes share. */
public final class CallCounters implements AutoCloseable {
    private final CallCounter counter;
    private final BooleanSupplier isStoreAway;
    private final LongSupplier uncounted;
    private final Runnable closing;

    private CallCounters(CallCounter counter, BooleanSupplier isStoreAway, LongSupplier uncounted, Runnable closing) {
        this.counter = counter;
        this.isStoreAway = isStoreAway;
        this.uncounted = uncounted;
        this.closing = closing;
    }

    /** Counts only the calls to this process. */
    public static CallCounters inProcess(int perSecond) {
        return new CallCounters(new WindowCounter(perSecond), () -> false, () -> 0, () -> {});
    }

    /**
     * Counts in a database. Starts also while the database is unavailable, and admits all calls until it is available.
     *
     * @param url of H2 or PostgreSQL; its table is created when it is missing
     * @param user null when the URL contains it or none is needed
     * @param password null when the URL contains it or none is needed
     * @throws UnusableDatabase when the URL is for another database
     */
    public static CallCounters shared(String url, @Nullable String user, @Nullable String password, int perSecond) {
        PostgresTransport.warnIfOpen(url);
        SharedWindowCounter shared = SharedWindowCounter.start(
                RateStoreAddress.of(url, user, password), perSecond, SharedWindowCounter.DEFAULT_PATIENCE);
        return new CallCounters(shared, shared::isStoreAway, shared::uncounted, shared::close);
    }

    public CallCounter counter() {
        return counter;
    }

    /** Whether calls are admitted uncounted because the shared store does not answer. */
    public boolean isStoreAway() {
        return isStoreAway.getAsBoolean();
    }

    /** Calls admitted uncounted since the start. */
    public long uncounted() {
        return uncounted.getAsLong();
    }

    @Override
    public void close() {
        closing.run();
    }
}
