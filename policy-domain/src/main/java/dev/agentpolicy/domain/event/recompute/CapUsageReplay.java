package dev.agentpolicy.domain.event.recompute;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls and the USD that each key used on a day, counted from the chain.
 *
 * <p>Every decision is one call. A key with a daily call cap also makes calls that are in no row, so for such a key it
 * is only known that the number grows with every decision, until the key is rotated and may get another cap.
 */
final class CapUsageReplay {
    private final Map<AgentKeyId, KeyDay> days = new HashMap<>();
    private @Nullable BatchPosition batch;
    private @Nullable LocalDate erasedOn;
    /** Whether the row before is an erased decision, which may belong to a batch that continues. */
    private boolean followsErased;

    /**
     * What a key used on a day.
     *
     * @param calls the number of its decisions
     * @param minCapped the least number of calls that its next decision may state, if it has a cap
     */
    private record KeyDay(LocalDate date, long calls, long minCapped, Usd usd) {}

    /** The position in a batch, and what its items used so far. */
    private record BatchPosition(AgentKeyId key, Instant at, int next, Usd allowed) {}

    /**
     * How a decision contradicts the usage so far, or null.
     *
     * @param mayBeCapped whether the key has a daily call cap, or may have one
     */
    @Nullable
    String contradicted(DecisionRecord it, boolean mayBeCapped) {
        CapUsage said = it.used();
        if (it.kind() == Kind.ATTESTATION) {
            boolean isNothing = said.calls() == 0 && said.usd().isZero();
            return isNothing ? null : "An attestation uses neither calls nor USD of the day.";
        }
        BatchPosition running = batch(it);
        Integer index = it.batchIndex();
        boolean mayContinueErased = running == null && followsErased;
        if (index != null && !mayContinueErased && index != (running == null ? 0 : running.next)) {
            return "The items of the batch do not follow each other.";
        }
        Instant now = it.decision().checkedAt();
        KeyDay day = day(it.agentKeyId(), now);
        if (mayBeCapped && said.calls() < day.minCapped) {
            return "The key had used at least " + day.minCapped + " calls of the day, not " + said.calls() + ".";
        }
        if (date(now).equals(erasedOn)) {
            return null;
        }
        Usd usd = running == null ? day.usd : day.usd.plus(running.allowed);
        if (!mayBeCapped && said.calls() != day.calls) {
            return "The key had used " + day.calls + " calls of the day, not " + said.calls() + ".";
        }
        return said.usd().equals(usd) ? null : "The key had used " + usd + " USD of the day, not " + said.usd() + ".";
    }

    void count(DecisionRecord it) {
        if (it.kind() == Kind.ATTESTATION) {
            endBatch();
            return;
        }
        Trade trade = it.trade();
        Usd allowed = trade != null && it.isAllowed() ? trade.amount() : Usd.ZERO;
        BatchPosition running = batch(it);
        Integer index = it.batchIndex();
        Instant now = it.decision().checkedAt();
        Usd before = running == null ? Usd.ZERO : running.allowed;
        followsErased = false;
        batch = index == null ? null : new BatchPosition(it.agentKeyId(), now, index + 1, before.plus(allowed));
        KeyDay day = day(it.agentKeyId(), now);
        Usd usd = it.kind() == Kind.PROPOSE ? day.usd.plus(allowed) : day.usd;
        days.put(it.agentKeyId(), new KeyDay(day.date, day.calls + 1, it.used().calls() + 1, usd));
    }

    /** Notes a rotation, after which the key may have another cap. */
    void rotated(AgentKeyId key) {
        days.computeIfPresent(key, (any, day) -> new KeyDay(day.date, day.calls, 0, day.usd));
    }

    /** Notes an erased rotation of an unknown key. */
    void keyErased() {
        days.replaceAll((any, day) -> new KeyDay(day.date, day.calls, 0, day.usd));
    }

    void endBatch() {
        batch = null;
        followsErased = false;
    }

    /** Notes that an unknown key used something on a day. */
    void erased(Instant at) {
        erasedOn = date(at);
        followsErased = true;
    }

    /** The batch that a decision continues, or null when it begins a batch or is in none. */
    private @Nullable BatchPosition batch(DecisionRecord it) {
        BatchPosition running = batch;
        Integer index = it.batchIndex();
        boolean continues = running != null
                && index != null
                && index > 0
                && running.key.equals(it.agentKeyId())
                && running.at.equals(it.decision().checkedAt());
        return continues ? running : null;
    }

    private KeyDay day(AgentKeyId key, Instant now) {
        LocalDate today = date(now);
        KeyDay last = days.get(key);
        return last != null && last.date.equals(today) ? last : new KeyDay(today, 0, 0, Usd.ZERO);
    }

    private static LocalDate date(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }
}
