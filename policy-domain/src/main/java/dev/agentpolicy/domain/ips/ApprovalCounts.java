package dev.agentpolicy.domain.ips;

import static dev.agentpolicy.domain.document.Schema.inline;
import static dev.agentpolicy.domain.document.Schema.required;
import static dev.agentpolicy.domain.document.Schema.unlessEmpty;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What allowed proposals have used of an account's approvals, and the approvals that ended with their rules
 * (docs/reference/ips.md, Approvals). Immutable.
 *
 * <p>Counts belong to the content of an approval: they stay while a statement has it, and are gone with it.
 *
 * @param uses of the approvals that count something and were needed
 * @param ended the approvals whose rule changed before their time had passed, so that no policy brings them back
 */
public record ApprovalCounts(List<ApprovalUse> uses, List<Approval> ended) {
    public static final ApprovalCounts NONE = new ApprovalCounts(List.of(), List.of());

    private static final int MAX_ENDED = 2 * Approval.MAX;

    /** The members of stored counts. */
    public static final Schema<ApprovalCounts> STORED = Schema.of(
            row -> new ApprovalCounts(row.nextOr(List.of()), row.nextOr(List.of())),
            unlessEmpty("uses", Codec.list(ApprovalUse.STORED), ApprovalCounts::uses),
            unlessEmpty("ended", Codec.list(Approval.SCHEMA), ApprovalCounts::ended));

    public ApprovalCounts {
        uses = List.copyOf(uses);
        ended = List.copyOf(ended);
    }

    /** What is used of an approval. */
    public ApprovalUse of(Approval approval) {
        for (ApprovalUse use : uses) {
            if (use.approval.equals(approval)) {
                return use;
            }
        }
        return ApprovalUse.nothing(approval);
    }

    /** With one more proposal that needed these approvals. */
    public ApprovalCounts plus(List<Approval> needed, Trade trade) {
        List<ApprovalUse> after = new ArrayList<>(uses);
        for (Approval approval : needed) {
            if (approval.isCounted()) {
                ApprovalUse before = of(approval);
                after.remove(before);
                after.add(new ApprovalUse(approval, before.uses + 1, before.usd.plus(trade.amount())));
            }
        }
        return new ApprovalCounts(after, ended);
    }

    /** The counts of the approvals that a statement still has. */
    public ApprovalCounts kept(Ips next) {
        return new ApprovalCounts(
                uses.stream()
                        .filter(use -> next.approvals().contains(use.approval))
                        .toList(),
                ended);
    }

    /** With the approvals that end when a statement takes the place of another one, as its rules ask otherwise. */
    public ApprovalCounts ended(Ips before, Ips next, Instant now) {
        List<Approval> remembered = Stream.concat(
                        ended.stream(),
                        before.approvals().stream().filter(approval -> !approval.hasSameRule(before, next)))
                .filter(approval -> approval.isInForce(now))
                .distinct()
                .sorted(Comparator.comparing(Approval::until).reversed())
                .limit(MAX_ENDED)
                .toList();
        return new ApprovalCounts(uses, remembered);
    }

    /**
     * Whether an approval has ended with its rule. Of more than can be remembered, the first to end by themselves are
     * forgotten, so one that would end no later than all that are remembered counts as ended.
     */
    public boolean hasEnded(Approval approval) {
        return ended.contains(approval)
                || ended.size() == MAX_ENDED
                        && !approval.until().isAfter(ended.get(MAX_ENDED - 1).until());
    }

    /**
     * An approval, and what allowed proposals that needed it have used of it.
     *
     * @param uses how many; 0 where they are not counted
     * @param usd the sum of their amounts; 0 likewise
     */
    public record ApprovalUse(Approval approval, long uses, Usd usd) {
        static final Schema<ApprovalUse> STORED = Schema.of(
                row -> new ApprovalUse(row.next(), row.<Long>next(), row.next()),
                inline(Approval.SCHEMA, ApprovalUse::approval),
                required("uses", Codec.LONG, ApprovalUse::uses),
                required("usd", Usd.CODEC, ApprovalUse::usd));

        /** An approval of which nothing is used, or for which nothing is counted. */
        public static ApprovalUse nothing(Approval approval) {
            return new ApprovalUse(approval, 0, Usd.ZERO);
        }

        /** Whether the rule or limit with an id does not block the trade. */
        public boolean covers(String rule, Trade trade) {
            Usd largest = largest();
            return isAbout(rule, trade) && (largest == null || !trade.amount().isAbove(largest));
        }

        /** Whether a trade under the rule or limit with an id can be covered, whatever its amount. */
        public boolean isAbout(String rule, Trade trade) {
            Integer maxUses = approval.maxUses();
            return approval.isAbout(rule, trade) && (maxUses == null || uses < maxUses);
        }

        /** The largest amount that can be covered; null for any. */
        public @Nullable Usd largest() {
            Usd max = approval.maxAmountUsd();
            Usd left = usdLeft();
            return max == null || left == null ? max == null ? left : max : max.min(left);
        }

        /** The proposals that are left; null for any number. */
        public @Nullable Long usesLeft() {
            Integer max = approval.maxUses();
            return max == null ? null : Math.max(0, max - uses);
        }

        /** The USD that are left; null for any. */
        public @Nullable Usd usdLeft() {
            Usd max = approval.maxTotalUsd();
            return max == null ? null : max.minus(usd).max(Usd.ZERO);
        }
    }

    /**
     * What a decision held an approval to, as it is recorded.
     *
     * @param approval its place in the statement, from 0
     * @param uses the proposals that had needed it before
     * @param usd the sum of their amounts
     */
    public record ApprovalCount(int approval, long uses, Usd usd) {
        /** The members of a count in signed decisions. */
        public static final Schema<ApprovalCount> SCHEMA = Schema.of(
                row -> new ApprovalCount(row.<Integer>next(), row.<Long>next(), row.next()),
                required("approval", Codec.INTEGER, ApprovalCount::approval),
                required("uses", Codec.LONG, ApprovalCount::uses),
                required("usd", Usd.CODEC, ApprovalCount::usd));
    }

    /** The counts of those approvals of a statement that would cover a trade if nothing of them were used. */
    public static List<ApprovalCount> counts(Ips ips, List<ApprovalUse> inForce, Trade trade) {
        List<ApprovalCount> counts = new ArrayList<>(0);
        for (ApprovalUse use : inForce) {
            Approval approval = use.approval;
            if (approval.isCounted() && ApprovalUse.nothing(approval).covers(approval.ruleId(), trade)) {
                counts.add(new ApprovalCount(ips.approvals().indexOf(approval), use.uses, use.usd));
            }
        }
        return counts;
    }
}
