package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.BatchingReader;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.DailyCalls;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Counts calls of capped keys, each by one conditional update in a transaction of its own. */
public final class JdbcDailyCalls implements DailyCalls {
    /** Yesterday is kept because a node whose clock is slow may still count for it. */
    private static final int DAYS_KEPT = 2;

    private final Transactions transactions;
    private final Reads reads;
    private final AtomicLong numbers = new AtomicLong();
    private final BatchingReader<Call, Long> counting;

    public JdbcDailyCalls(Transactions transactions, Reads reads, QueryExecutor queries) {
        this.transactions = transactions;
        this.reads = reads;
        this.counting = queries.batching(this::count, reads.dialect().askedTogether());
    }

    @Override
    public CompletionStage<OptionalLong> count(UserId account, AgentKeyId key, LocalDate day, int cap) {
        return counting.find(new Call(account, key, day, cap, numbers.incrementAndGet()))
                .thenApply(calls -> calls.map(OptionalLong::of).orElseGet(OptionalLong::empty));
    }

    @Override
    public long counted(UserId account, AgentKeyId key, LocalDate day) {
        return reads.first(
                        "SELECT calls FROM daily_call WHERE user_id = ? AND agent_key_id = ? AND call_day = ?",
                        row -> row.getLong(1),
                        account.value(),
                        key.value(),
                        day)
                .orElse(0L);
    }

    /** Deletes the counts of past days and returns how many there were. */
    public int removeOld(Instant now) {
        return transactions.update(
                "DELETE FROM daily_call WHERE call_day < ?",
                LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(DAYS_KEPT - 1L));
    }

    /** Counts each call in a transaction of its own: a transaction that locks a single row cannot cause a deadlock. */
    private Map<Call, Long> count(Collection<Call> calls) {
        Map<Call, Long> counted = new HashMap<>();
        for (Call call : calls) {
            transactions.inOne(connection -> count(connection, call)).ifPresent(count -> counted.put(call, count));
        }
        return counted;
    }

    private OptionalLong count(Connection connection, Call call) throws SQLException {
        return Reads.list(
                        connection,
                        transactions.dialect().countingDailyCall(),
                        row -> row.getLong(1),
                        call.account.value(),
                        call.key.value(),
                        call.day,
                        (long) call.cap)
                .stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /**
     * One call.
     *
     * @param number unique within this node, so that two calls of one key are not equal
     */
    private record Call(UserId account, AgentKeyId key, LocalDate day, int cap, long number) {}
}
