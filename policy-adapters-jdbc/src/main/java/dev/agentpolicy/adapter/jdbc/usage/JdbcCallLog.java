package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.usage.UsageFlush.CallBuffer;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.CallLog;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds up calls in memory and writes the sums to the database every second, on a thread of its own. */
public final class JdbcCallLog implements CallLog, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcCallLog.class);
    public static final int DAYS_KEPT = 35;
    private static final int TICK_MILLIS = 100;
    private static final int TICKS_PER_FLUSH = 10;
    private static final int TICKS_PER_SWEEP = 36_000;
    private static final long MAX_CLOSE_SECONDS = 10;

    private final CallBuffer buffer = new CallBuffer();
    private final UsageFlush flush;
    private final Transactions transactions;
    private final Reads reads;
    private final InstantSource clock;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("policy-usage"));
    private long ticks;
    private boolean isFailing;

    private JdbcCallLog(Transactions transactions, Reads reads, InstantSource clock) {
        this.flush = new UsageFlush(buffer, transactions, clock);
        this.transactions = transactions;
        this.reads = reads;
        this.clock = clock;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Repeats until the log is closed; failures are handled in the task.
    public static JdbcCallLog start(Transactions transactions, Reads reads, InstantSource clock) {
        JdbcCallLog log = new JdbcCallLog(transactions, reads, clock);
        log.thread.scheduleWithFixedDelay(log::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return log;
    }

    @Override
    public void record(CallRecord call) {
        buffer.add(call);
    }

    @Override
    public UsageReport report(UserId user, LocalDate first, LocalDate last) {
        flush.including(user);
        return reads.connected(connection -> new UsageTables(connection).report(user, first, last));
    }

    /** Writes what has not been written yet; a failure is not retried. */
    @Override
    public void close() {
        if (DaemonThreads.finish(thread, MAX_CLOSE_SECONDS)) {
            write();
        }
    }

    private void tick() {
        ticks++;
        buffer.addUp();
        if (ticks % TICKS_PER_FLUSH == 0) {
            write();
        }
        if (ticks % TICKS_PER_SWEEP == TICKS_PER_FLUSH) {
            removeOld();
        }
    }

    /** Logs one line when writing begins to fail and one when it works again. */
    private void write() {
        try {
            flush.everything();
            if (isFailing) {
                LOG.info("Usage is written again.");
            }
            isFailing = false;
        } catch (RuntimeException failed) {
            if (!isFailing) {
                LOG.warn("Usage cannot be written; it is kept in memory until it can be.", failed);
            }
            isFailing = true;
        }
        long lost = buffer.takeLost();
        if (lost > 0) {
            LOG.warn("{} calls are missing from usage: too many were waiting to be written.", lost);
        }
    }

    /** Deletes days that are too old for any report: all but the last {@link #DAYS_KEPT}, today included. */
    void removeOld() {
        LocalDate oldest = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(DAYS_KEPT - 1L);
        try {
            transactions.inOne(connection -> {
                for (String table : List.of("usage_path", "usage_key", "usage_day")) {
                    Transactions.update(connection, "DELETE FROM " + table + " WHERE call_day < ?", oldest);
                }
                return Transactions.update(
                        connection,
                        "DELETE FROM usage_flush WHERE flushed_at < ?",
                        oldest.atStartOfDay().atOffset(ZoneOffset.UTC));
            });
        } catch (Unavailable | IllegalStateException failed) {
            LOG.warn("Old usage could not be deleted; the next attempt is in an hour: {}", failed.getMessage());
        }
    }
}
