package dev.agentpolicy.domain.agent;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.FlowForm;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was proposed and allowed in the windows of an account's flow limits (docs/reference/rules.md, What a flow counts),
 * and under its approvals. Immutable. Only a proposal that is allowed and a new IPS change it, which are recorded under the
 * lock of the account.
 *
 * <p>A form is counted from the IPS version in which it appeared until the one in which it is gone. Amounts are summed in
 * buckets, at most 1440 for each window and what it is counted for.
 *
 * @param counts what is counted, for each form and key or asset
 * @param approvals what is used of approvals
 */
public record FlowCounts(Map<Counted, FlowWindow> counts, ApprovalCounts approvals) {
    public static final FlowCounts NONE = new FlowCounts(Map.of(), ApprovalCounts.NONE);

    private static final int BYTES_OF_AN_APPROVAL = 600;
    private static final int BYTES_OF_A_WINDOW = 500;
    private static final int BYTES_OF_A_BUCKET = 100;

    private static final long MINUTE_SECONDS = 60;

    /**
     * What is counted of one form for the account, one key or one asset.
     *
     * @param form what is counted
     * @param of the id of the key or the symbol; empty for the account
     */
    public record Counted(FlowForm form, String of) {}

    /**
     * What was proposed in one bucket.
     *
     * @param start of the bucket, in minutes from 1970
     * @param usd the sum of the amounts
     * @param trades how many
     */
    public record FlowBucket(long start, Usd usd, long trades) {

        /** A short text, since an account may have many. */
        private String stored() {
            return start + " " + trades + " " + usd.value().toPlainString();
        }

        private static FlowBucket of(String stored) {
            String[] parts = stored.split(" ", 3);
            return new FlowBucket(Long.parseLong(parts[0]), Usd.of(parts[2]), Long.parseLong(parts[1]));
        }
    }

    /** What is counted of one form, as it is stored. The form has up to 100 symbols, so it stands there once. */
    private record FormCounts(FlowForm form, List<Map.Entry<String, List<FlowBucket>>> of) {
        private static final Schema<Map.Entry<String, List<FlowBucket>>> BUCKETS = Schema.of(
                row -> Map.entry(row.next(), row.next()),
                required("of", Codec.TEXT, Map.Entry::getKey),
                required(
                        "buckets",
                        Codec.TEXTS.as(
                                texts -> texts.stream().map(FlowBucket::of).toList(),
                                buckets ->
                                        buckets.stream().map(FlowBucket::stored).toList()),
                        Map.Entry::getValue));

        private static final Schema<FormCounts> STORED = Schema.of(
                row -> new FormCounts(row.next(), row.next()),
                required("form", Codec.object(FlowForm.STORED), FormCounts::form),
                required("counts", Codec.list(BUCKETS), FormCounts::of));
    }

    /** The members of stored counts. */
    public static final Schema<FlowCounts> STORED = Schema.of(
            row -> new FlowCounts(read(row.next()), row.nextOr(ApprovalCounts.NONE)),
            required("forms", Codec.list(FormCounts.STORED), FlowCounts::byForm),
            optional(
                    "approvals",
                    Codec.object(ApprovalCounts.STORED),
                    it -> it.approvals.equals(ApprovalCounts.NONE) ? null : it.approvals));

    private static Map<Counted, FlowWindow> read(List<FormCounts> forms) {
        Map<Counted, FlowWindow> counts = new HashMap<>();
        for (FormCounts counted : forms) {
            counted.of.forEach(it ->
                    counts.put(new Counted(counted.form, it.getKey()), new FlowWindow(counted.form, it.getValue())));
        }
        return counts;
    }

    private List<FormCounts> byForm() {
        Map<FlowForm, List<Map.Entry<String, List<FlowBucket>>>> forms = new HashMap<>();
        counts.forEach((counted, window) -> forms.computeIfAbsent(counted.form, form -> new ArrayList<>())
                .add(Map.entry(counted.of, window.buckets)));
        return forms.entrySet().stream()
                .map(it -> new FormCounts(it.getKey(), it.getValue()))
                .toList();
    }

    public FlowCounts {
        counts = Map.copyOf(counts);
    }

    /** Whether nothing is counted. */
    public boolean isNothing() {
        return counts.isEmpty() && approvals.equals(ApprovalCounts.NONE);
    }

    /** A bound of the memory that these counts take. */
    public int bytes() {
        int windows = counts.values().stream()
                .mapToInt(it -> BYTES_OF_A_WINDOW + BYTES_OF_A_BUCKET * it.buckets.size())
                .sum();
        return windows
                + BYTES_OF_AN_APPROVAL
                        * (approvals.uses().size() + approvals.ended().size());
    }

    /**
     * What is counted of a form for a trade.
     *
     * @param agent the key that asks; null for one that has proposed nothing
     */
    public FlowWindow of(FlowForm form, @Nullable AgentKeyId agent, Trade trade) {
        return window(form, counted(form, agent, trade));
    }

    /**
     * How the limits stand before the next trade.
     *
     * @param agent the key that asks; null for none
     */
    public List<LimitStanding> standing(List<Limit> limits, @Nullable AgentKeyId agent, Instant now) {
        return limits.stream()
                .map(limit -> {
                    Counted counted = limit.isFlow() ? counted(limit.flow(), agent, null) : null;
                    return counted == null
                            ? LimitStanding.of(limit, null)
                            : LimitStanding.of(limit, window(limit.flow(), counted), now);
                })
                .toList();
    }

    /** What a form counts alone; null when that is not known. */
    private static @Nullable Counted counted(FlowForm form, @Nullable AgentKeyId agent, @Nullable Trade trade) {
        String of = switch (form.per()) {
            case ACCOUNT -> "";
            case AGENT -> agent == null ? null : agent.toString();
            case ASSET -> trade == null ? null : trade.asset().value();
        };
        return of == null ? null : new Counted(form, of);
    }

    private FlowWindow window(FlowForm form, @Nullable Counted counted) {
        FlowWindow known = counted == null ? null : counts.get(counted);
        return known == null ? new FlowWindow(form, List.of()) : known;
    }

    /**
     * The counts with a proposal that was allowed; what has left its window is dropped.
     *
     * @param needed the approvals without which it would have been blocked
     */
    public FlowCounts plus(List<Limit> limits, List<Approval> needed, AgentKeyId agent, Trade trade, Instant now) {
        ApprovalCounts used = approvals.plus(needed, trade);
        Map<Counted, FlowWindow> after = null;
        for (Limit limit : limits) {
            if (limit.isFlow() && limit.holds(trade)) {
                after = after == null ? live(now) : after;
                Counted counted = Objects.requireNonNull(counted(limit.flow(), agent, trade));
                FlowWindow before = after.getOrDefault(counted, new FlowWindow(limit.flow(), List.of()));
                after.put(counted, before.plus(trade.amount(), now));
            }
        }
        return after == null && used.equals(approvals) ? this : new FlowCounts(after == null ? counts : after, used);
    }

    private Map<Counted, FlowWindow> live(Instant now) {
        Map<Counted, FlowWindow> live = new HashMap<>();
        counts.forEach((counted, window) -> {
            FlowWindow rest = window.at(now);
            if (!rest.buckets.isEmpty()) {
                live.put(counted, rest);
            }
        });
        return live;
    }

    /** The counts of those forms and approvals that a statement still has. */
    public FlowCounts kept(Ips next) {
        Set<FlowForm> forms = new HashSet<>();
        for (Limit limit : next.limits()) {
            if (limit.isFlow()) {
                forms.add(limit.flow());
            }
        }
        Map<Counted, FlowWindow> kept = new HashMap<>(counts);
        kept.keySet().removeIf(counted -> !forms.contains(counted.form));
        return new FlowCounts(kept, approvals.kept(next));
    }

    /** As above, with the approvals that end with a rule of the statement that was in force before. */
    public FlowCounts kept(Ips before, Ips next, Instant now) {
        FlowCounts kept = kept(next);
        return new FlowCounts(kept.counts, kept.approvals.ended(before, next, now));
    }

    /**
     * A limit and how it stands. Only a flow that is counted for one thing has amounts, and only a position or a loss a
     * measure.
     *
     * @param used what counts
     * @param left what may still be proposed; an amount is null without a maximum
     * @param freesAt when the oldest part of what is used drops out; null when nothing is used
     * @param actual a position as a fraction of the portfolio, or a loss as a fraction of the highest value, in six places;
     *     null where it was not asked for or is not known
     */
    public record LimitStanding(
            Limit limit,
            @Nullable FlowAmount used,
            @Nullable FlowAmount left,
            @Nullable Instant freesAt,
            @Nullable BigDecimal actual) {

        /** A position or a loss. */
        public static LimitStanding of(Limit limit, @Nullable BigDecimal actual) {
            return new LimitStanding(limit, null, null, null, actual);
        }

        /** A flow of which a window counts. */
        public static LimitStanding of(Limit limit, FlowWindow window, Instant now) {
            Usd usd = window.usd(now);
            long trades = window.trades(now);
            Usd maxUsd = limit.maxUsd();
            Integer maxTrades = limit.maxTrades();
            FlowAmount left = new FlowAmount(
                    maxUsd == null ? null : maxUsd.minus(usd).max(Usd.ZERO),
                    maxTrades == null ? null : Math.max(0, maxTrades - trades));
            return new LimitStanding(limit, new FlowAmount(usd, trades), left, window.freesAt(now), null);
        }
    }

    /** USD and a number of trades; null for none. */
    public record FlowAmount(@Nullable Usd usd, @Nullable Long trades) {}

    /** What is counted of one form for the account, a key or an asset: buckets, oldest first, and their sums. */
    public static final class FlowWindow {
        private final FlowForm form;
        private final List<FlowBucket> buckets;
        /** The sums of each bucket and those after it, and nothing at the end. */
        private final FlowBucket[] from;

        FlowWindow(FlowForm form, List<FlowBucket> buckets) {
            this.form = form;
            this.buckets = List.copyOf(buckets);
            this.from = new FlowBucket[buckets.size() + 1];
            FlowBucket sum = new FlowBucket(0, Usd.ZERO, 0);
            from[buckets.size()] = sum;
            for (int i = buckets.size() - 1; i >= 0; i--) {
                FlowBucket bucket = buckets.get(i);
                sum = new FlowBucket(bucket.start, sum.usd.plus(bucket.usd), sum.trades + bucket.trades);
                from[i] = sum;
            }
        }

        /** The USD that still count. */
        public Usd usd(Instant now) {
            return from[first(now)].usd;
        }

        /** The trades that still count. */
        public long trades(Instant now) {
            return from[first(now)].trades;
        }

        /** When the oldest part of what counts drops out; null when nothing counts. */
        public @Nullable Instant freesAt(Instant now) {
            int first = first(now);
            return first == buckets.size() ? null : end(first);
        }

        /**
         * The first instant at which a trade fits if nothing else is proposed; null if it never does.
         *
         * @param maxUsd the most USD; null for any
         * @param maxTrades the most trades; null for any
         */
        public @Nullable Instant fitsAt(Usd amount, @Nullable Usd maxUsd, @Nullable Integer maxTrades, Instant now) {
            for (int i = first(now); i <= buckets.size(); i++) {
                boolean fits = (maxUsd == null || !from[i].usd.plus(amount).isAbove(maxUsd))
                        && (maxTrades == null || from[i].trades < maxTrades);
                if (fits) {
                    return i == first(now) ? now : end(i - 1);
                }
            }
            return null;
        }

        /** The index of the first bucket that still counts. */
        private int first(Instant now) {
            long minute = minute(now);
            int low = 0;
            int high = buckets.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (endMinute(middle) > minute) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return low;
        }

        /** A bucket counts until its end plus the window. */
        private long endMinute(int index) {
            return buckets.get(index).start + form.bucketMinutes() + form.windowMinutes();
        }

        private Instant end(int index) {
            return Instant.ofEpochSecond(endMinute(index) * MINUTE_SECONDS);
        }

        private FlowWindow at(Instant now) {
            int first = first(now);
            return first == 0 ? this : new FlowWindow(form, buckets.subList(first, buckets.size()));
        }

        private FlowWindow plus(Usd amount, Instant now) {
            long start = form.bucket(minute(now));
            List<FlowBucket> next = new ArrayList<>(at(now).buckets);
            FlowBucket last = next.isEmpty() ? null : next.get(next.size() - 1);
            if (last != null && last.start == start) {
                next.set(next.size() - 1, new FlowBucket(start, last.usd.plus(amount), last.trades + 1));
            } else {
                next.add(new FlowBucket(start, amount, 1));
            }
            return new FlowWindow(form, next);
        }

        private static long minute(Instant now) {
            return Math.floorDiv(now.getEpochSecond(), MINUTE_SECONDS);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof FlowWindow that && form.equals(that.form) && buckets.equals(that.buckets);
        }

        @Override
        public int hashCode() {
            return buckets.hashCode();
        }

        @Override
        public String toString() {
            return buckets.toString();
        }
    }
}
