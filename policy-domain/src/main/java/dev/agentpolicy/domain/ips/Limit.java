package dev.agentpolicy.domain.ips;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much of some assets may be held, how much may be proposed in a while, or how much may be lost before buying stops
 * (docs/reference/ips.md, limits). Members of other kinds are null.
 *
 * @param id shown in messages; unique among the limits and standing rules of its IPS
 * @param kind what is limited
 * @param effect what happens to a trade beyond the limit
 * @param reason the user's own words, null when none were given
 * @param scope the actions, sleeves and assets that it is about
 * @param max of a position, as a fraction of the portfolio, or of a loss, as a fraction of the highest value
 * @param perAsset whether a position is that of each asset alone
 * @param form of a flow: what is counted
 * @param maxUsd the most USD of a flow in its window; null for any
 * @param maxTrades the most trades of a flow in its window; null for any
 * @param windowDays of a loss: the UTC days whose highest value counts, today included
 */
public record Limit(
        String id,
        LimitKind kind,
        Effect effect,
        @Nullable String reason,
        When scope,
        @Nullable Fraction max,
        boolean perAsset,
        @Nullable FlowForm form,
        @Nullable Usd maxUsd,
        @Nullable Integer maxTrades,
        @Nullable Integer windowDays) {
    /** Maximum number of limits in a statement. */
    public static final int MAX = 20;
    /** The longest window of a loss. */
    public static final int MAX_WINDOW_DAYS = 30;

    private static final int MAX_WINDOW_MINUTES = 43_200;

    private static final Codec<Integer> MINUTES = Codec.integer(1, MAX_WINDOW_MINUTES);

    /** The members of a scope, which are conditions of a standing rule too. */
    public static final Schema<When> SCOPE = Schema.of(
            row -> new When(row.next(), row.next(), row.next(), null, null, null),
            optional("actions", Codec.words(Action.class), When::actions),
            optional("assetTypes", Codec.words(AssetType.class), When::assetTypes),
            optional("symbols", AssetSymbol.set(IpsDocument.MAX_SYMBOLS), When::symbols));

    /** Positions are about buys alone. */
    private static final Schema<When> ASSETS = Schema.of(
            row -> new When(null, row.next(), row.next(), null, null, null),
            optional("assetTypes", Codec.words(AssetType.class), When::assetTypes),
            optional("symbols", AssetSymbol.set(IpsDocument.MAX_SYMBOLS), When::symbols));

    private static final Schema<Limit> POSITION = schema(
            ASSETS,
            (id, kind, effect, reason, scope, row) ->
                    new Limit(id, kind, effect, reason, scope, row.next(), row.nextOr(false), null, null, null, null),
            required("max", IpsDocument.FRACTION, Limit::max),
            optional("perAsset", Codec.TRUTH, Limit::perAsset));

    private static final Schema<Limit> FLOW = schema(
                    SCOPE,
                    (id, kind, effect, reason, scope, row) -> {
                        FlowForm form = new FlowForm(scope, row.<Integer>next(), row.nextOr(Per.ACCOUNT));
                        return new Limit(
                                id, kind, effect, reason, scope, null, false, form, row.next(), row.next(), null);
                    },
                    required("windowMinutes", MINUTES, it -> it.flow().windowMinutes()),
                    optional("per", Codec.word(Per.class), it -> it.flow().per()),
                    optional("maxUsd", TradePayload.AMOUNT, Limit::maxUsd),
                    optional("maxTrades", Codec.integer(1, Integer.MAX_VALUE), Limit::maxTrades))
            .checked(Limit::requireMaximum);

    private static final Schema<Limit> LOSS = schema(
            SCOPE,
            (id, kind, effect, reason, scope, row) ->
                    new Limit(id, kind, effect, reason, scope, row.next(), false, null, null, null, row.next()),
            required("max", IpsDocument.FRACTION, Limit::max),
            required("windowDays", Codec.integer(1, MAX_WINDOW_DAYS), Limit::windowDays));

    /** Makes a limit from what all kinds have and the members of its own kind. */
    private interface Maker {
        Limit of(String id, LimitKind kind, Effect effect, @Nullable String reason, When scope, Schema.Row own);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    private static Schema<Limit> schema(Schema<When> scope, Maker maker, Schema.Member<Limit>... own) {
        List<Schema.Member<Limit>> members = new ArrayList<>(List.of(
                required("id", Codec.plainText(1, IpsDocument.MAX_ID), Limit::id),
                required("kind", Codec.word(LimitKind.class), Limit::kind),
                optional("effect", Codec.word(Effect.class), Limit::effect),
                nullable("reason", Codec.plainText(0, IpsDocument.MAX_REASON), Limit::reason),
                optional("scope", Codec.object(scope), Limit::scope)));
        members.addAll(List.of(own));
        return Schema.of(
                row -> maker.of(
                        row.next(), row.next(), row.nextOr(Effect.BLOCK), row.next(), row.nextOr(When.ALWAYS), row),
                members);
    }

    private static void requireMaximum(Schema.Row row) {
        if (!row.has("maxUsd") && !row.has("maxTrades")) {
            row.problem("maxUsd", "or maxTrades must be given");
        }
    }

    /** What is limited. */
    public enum LimitKind implements Word {
        POSITION,
        FLOW,
        LOSS
    }

    /** Of what a flow is counted alone. */
    public enum Per implements Word {
        ACCOUNT,
        AGENT,
        ASSET
    }

    /**
     * The identity of a flow limit: counts belong to it, and not to the id of a limit.
     *
     * @param scope the trades that are counted
     * @param windowMinutes for how long they count
     * @param per of what they are counted alone
     */
    public record FlowForm(When scope, int windowMinutes, Per per) {
        private static final int BUCKETS = 1440;

        /** The members of a form in stored counts. */
        public static final Schema<FlowForm> STORED = Schema.of(
                row -> new FlowForm(row.nextOr(When.ALWAYS), row.<Integer>next(), row.next()),
                required("scope", Codec.object(SCOPE), FlowForm::scope),
                required("windowMinutes", MINUTES, FlowForm::windowMinutes),
                required("per", Codec.word(Per.class), FlowForm::per));

        /** The length of a bucket, so that a window has at most 1440 of them. */
        public int bucketMinutes() {
            return (windowMinutes + BUCKETS - 1) / BUCKETS;
        }

        /** The start of the bucket of a minute, in minutes from 1970. */
        public long bucket(long minute) {
            return minute - Math.floorMod(minute, (long) bucketMinutes());
        }
    }

    /** Reads a limit by the members of its kind. */
    static @Nullable Limit read(Fields item) {
        LimitKind kind = item.word("kind", LimitKind.class);
        if (kind == null) {
            item.require("kind");
            item.ignoreUnknown();
            return null;
        }
        return schema(kind).read(item);
    }

    /** The members of this limit in signed statements. */
    public Map<String, @Nullable Object> write() {
        return schema(kind).write(this);
    }

    private static Schema<Limit> schema(LimitKind kind) {
        return kind == LimitKind.POSITION ? POSITION : kind == LimitKind.FLOW ? FLOW : LOSS;
    }

    /** The form of a flow. */
    public FlowForm flow() {
        return Objects.requireNonNull(form);
    }

    /** The maximum of a position or a loss. */
    public Fraction most() {
        return Objects.requireNonNull(max);
    }

    /** Whether the limit is about a trade. */
    public boolean holds(Trade trade) {
        return scope.covers(trade.action(), trade.asset(), trade.assetType());
    }

    /** Whether this is a flow limit. */
    public boolean isFlow() {
        return kind == LimitKind.FLOW;
    }

    /** Whether the limit bounds exactly what another bounds, whatever their ids, effects and reasons. */
    public boolean isSameBound(Limit other) {
        return kind == other.kind
                && scope.equals(other.scope)
                && perAsset == other.perAsset
                && Objects.equals(max, other.max)
                && Objects.equals(form, other.form)
                && Objects.equals(maxUsd, other.maxUsd)
                && Objects.equals(maxTrades, other.maxTrades)
                && Objects.equals(windowDays, other.windowDays);
    }

    /** Whether the limit is compared with what another is compared with, whatever their maxima. */
    public boolean isMeasuredAs(Limit other) {
        return kind == other.kind
                && scope.equals(other.scope)
                && perAsset == other.perAsset
                && Objects.equals(form, other.form)
                && Objects.equals(windowDays, other.windowDays);
    }

    /** The same limit under another scope. */
    Limit with(When other) {
        FlowForm same = form == null ? null : new FlowForm(other, form.windowMinutes, form.per);
        return new Limit(id, kind, effect, reason, other, max, perAsset, same, maxUsd, maxTrades, windowDays);
    }

    /** The index of the first flow whose form a limit before it has; -1 when there is none. */
    static int repeatedForm(List<Limit> limits) {
        Map<FlowForm, Integer> seen = new HashMap<>();
        for (int i = 0; i < limits.size(); i++) {
            FlowForm form = limits.get(i).form;
            if (form != null && seen.put(form, i) != null) {
                return i;
            }
        }
        return -1;
    }
}
