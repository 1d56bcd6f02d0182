package dev.agentpolicy.domain.event.recompute;

import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.FlowCounts.FlowWindow;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalCount;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.FlowForm;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the proposals of a chain count for its flow limits and approvals, and whether the recorded numbers agree. After an
 * erased row they are lower bounds: for a flow until the time of the row has left the window, for an approval as long as one
 * from before the row may last.
 */
final class FlowReplay {
    private FlowCounts counts = FlowCounts.NONE;
    /** The counts within the batch of the last decision. */
    private FlowCounts batch = FlowCounts.NONE;

    private @Nullable Instant erasedAt;

    /** Begins with another statement; null when it is not known. */
    void ips(@Nullable Ips next) {
        counts = next == null ? FlowCounts.NONE : counts.kept(next);
    }

    /** Notes a decision or statement that is not known any more; the forms of an erased statement may have begun anew. */
    void erased(Instant at, boolean isIps) {
        erasedAt = at;
        counts = isIps ? FlowCounts.NONE : counts;
        batch = counts;
    }

    /** How the numbers that a decision was held against contradict the limits and the rows before, or null. */
    @Nullable
    String contradicted(DecisionRecord it, Trade trade, @Nullable Ips ips) {
        String wrong = approvals(it, trade, ips);
        return wrong == null ? limits(it, trade, ips == null ? List.of() : ips.limits()) : wrong;
    }

    /** How what is recorded of approvals contradicts the statement and the rows before, or null. */
    private @Nullable String approvals(DecisionRecord it, Trade trade, @Nullable Ips ips) {
        Instant now = it.decision().checkedAt();
        ApprovalCounts before = before(it).approvals();
        List<ApprovalCount> expected = ips == null || it.kind() == Kind.ATTESTATION
                ? List.of()
                : ApprovalCounts.counts(
                        ips,
                        ips.approvals(it.agentKeyId().value(), now).stream()
                                .map(before::of)
                                .toList(),
                        trade);
        List<ApprovalCount> said = it.approvalCounts();
        boolean isLowerBound = erasedAt != null && now.isBefore(erasedAt.plus(Approval.MAX_LENGTH));
        boolean isRight = said.size() == expected.size();
        for (int i = 0; i < said.size() && isRight; i++) {
            ApprovalCount least = expected.get(i);
            ApprovalCount count = said.get(i);
            isRight = count.approval() == least.approval()
                    && (isLowerBound
                            ? count.uses() >= least.uses() && !count.usd().isBelow(least.usd())
                            : count.equals(least));
        }
        return isRight ? null : "Of the approvals, " + expected + " was used, not " + said + ".";
    }

    private @Nullable String limits(DecisionRecord it, Trade trade, List<Limit> limits) {
        Iterator<LimitMeasure> recorded = it.limits().iterator();
        for (Limit limit : limits) {
            boolean isMeasured = limit.isFlow()
                    ? it.kind() != Kind.ATTESTATION
                    : it.decision().snapshot() != null;
            if (!isMeasured || !limit.holds(trade)) {
                continue;
            }
            LimitMeasure measure = recorded.hasNext() ? recorded.next() : null;
            if (measure == null || !measure.id().equals(limit.id())) {
                return "The decision does not say what limit " + limit.id() + " was compared with.";
            }
            String wrong = limit.isFlow() ? flow(it, trade, limit, measure) : share(it, limit, measure);
            if (wrong != null) {
                return wrong;
            }
        }
        return recorded.hasNext()
                ? "Limit " + recorded.next().id() + " is not one that the trade is compared with."
                : null;
    }

    private @Nullable String flow(DecisionRecord it, Trade trade, Limit limit, LimitMeasure said) {
        Usd usd = said.usd();
        Long trades = said.trades();
        if (usd == null || trades == null || said.held() != null || said.peak() != null) {
            return notOfItsKind(limit);
        }
        Instant now = it.decision().checkedAt();
        FlowWindow window = before(it).of(limit.flow(), it.agentKeyId(), trade);
        boolean isRight = isLowerBound(limit.flow(), now)
                ? !usd.isBelow(window.usd(now)) && trades >= window.trades(now)
                : usd.equals(window.usd(now)) && trades == window.trades(now);
        return isRight
                ? null
                : "Limit " + limit.id() + " had counted " + window.usd(now) + " USD and " + window.trades(now)
                        + " trades, not " + usd + " and " + trades + ".";
    }

    private boolean isLowerBound(FlowForm form, Instant now) {
        return erasedAt != null
                && now.isBefore(erasedAt.plus(Duration.ofMinutes(form.windowMinutes() + form.bucketMinutes())));
    }

    private static @Nullable String share(DecisionRecord it, Limit limit, LimitMeasure said) {
        Snapshot snapshot = Objects.requireNonNull(it.decision().snapshot());
        Usd peak = said.peak();
        Usd held = said.held();
        boolean isLoss = limit.windowDays() != null;
        if (said.usd() != null || said.trades() != null || (peak != null) != isLoss || (held != null) == isLoss) {
            return notOfItsKind(limit);
        }
        if (peak != null && (peak.isBelow(snapshot.total()) || peak.isAbove(snapshot.peak()))) {
            return "The highest value of limit " + limit.id() + " is not between the total and the peak.";
        }
        return held == null || !limit.perAsset() || it.held() == null || held.equals(it.held())
                ? null
                : "Limit " + limit.id() + " was compared with another value than is held of the asset.";
    }

    private static String notOfItsKind(Limit limit) {
        return "The numbers of limit " + limit.id() + " are not those of its kind.";
    }

    /** What counts before a decision. */
    private FlowCounts before(DecisionRecord it) {
        return continuesBatch(it) ? batch : counts;
    }

    private static boolean continuesBatch(DecisionRecord it) {
        Integer index = it.batchIndex();
        return index != null && index > 0;
    }

    /** Counts a decision under the statement in force. */
    void count(DecisionRecord it, List<Limit> limits) {
        Instant now = it.decision().checkedAt();
        Trade trade = it.trade();
        batch = before(it);
        if (trade == null || !it.isAllowed() || it.kind() == Kind.ATTESTATION) {
            return;
        }
        if (it.kind() == Kind.PROPOSE) {
            counts = counts.plus(limits, it.approvals(), it.agentKeyId(), trade, now);
        } else if (it.batchIndex() != null) {
            batch = batch.plus(limits, it.approvals(), it.agentKeyId(), trade, now);
        }
    }
}
