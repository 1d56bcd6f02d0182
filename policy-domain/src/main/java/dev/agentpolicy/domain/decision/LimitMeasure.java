package dev.agentpolicy.domain.decision;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.FlowCounts.FlowWindow;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a limit is compared with before a trade (docs/reference/events.md, guardrail.decision). Members of other kinds of
 * limits are null.
 *
 * @param id of the limit
 * @param usd of a flow: the USD that count
 * @param trades of a flow: the trades that count
 * @param held of a position: the value held of the assets it is about
 * @param peak of a loss: the highest value of its days
 * @param window of a flow: what counts, with its times; null for what was read from the log
 */
public record LimitMeasure(
        String id,
        @Nullable Usd usd,
        @Nullable Long trades,
        @Nullable Usd held,
        @Nullable Usd peak,
        @Nullable FlowWindow window) {

    /** The members of what a limit is compared with, in signed decisions. */
    public static final Schema<LimitMeasure> SCHEMA = Schema.of(
            row -> new LimitMeasure(row.next(), row.next(), row.next(), row.next(), row.next(), null),
            required("id", Codec.TEXT, LimitMeasure::id),
            optional("usd", Usd.CODEC, LimitMeasure::usd),
            optional("trades", Codec.LONG, LimitMeasure::trades),
            optional("heldUsd", Usd.CODEC, LimitMeasure::held),
            optional("peak", Usd.CODEC, LimitMeasure::peak));

    /** What a flow counted before a trade. */
    public static LimitMeasure flow(String id, FlowWindow window, Instant now) {
        return new LimitMeasure(id, window.usd(now), window.trades(now), null, null, window);
    }

    public static LimitMeasure position(String id, Usd held) {
        return new LimitMeasure(id, null, null, held, null, null);
    }

    public static LimitMeasure loss(String id, Usd peak) {
        return new LimitMeasure(id, null, null, null, peak, null);
    }

    /**
     * What the limits are compared with whose scope holds the trade of a context, in the order of the statement. Positions
     * and losses have nothing to be compared with where the context has no snapshot.
     *
     * @param portfolio the holdings; null when there are none
     * @param flows what was proposed and allowed; null when flows are not checked
     * @param agent the key that asks; null for one that has proposed nothing
     */
    public static List<LimitMeasure> all(
            EvaluationContext it,
            @Nullable Portfolio portfolio,
            @Nullable FlowCounts flows,
            @Nullable AgentKeyId agent) {
        List<Limit> limits = it.ips() == null ? List.of() : it.ips().ips().limits();
        if (limits.isEmpty()
                || it.asset() != null && it.asset().refuses(it.trade().assetType())) {
            return List.of();
        }
        List<LimitMeasure> measures = new ArrayList<>(limits.size());
        for (Limit limit : limits) {
            LimitMeasure measure = limit.holds(it.trade()) ? of(limit, it, portfolio, flows, agent) : null;
            if (measure != null) {
                measures.add(measure);
            }
        }
        return measures;
    }

    private static @Nullable LimitMeasure of(
            Limit limit,
            EvaluationContext it,
            @Nullable Portfolio portfolio,
            @Nullable FlowCounts flows,
            @Nullable AgentKeyId agent) {
        if (limit.isFlow()) {
            return flows == null ? null : flow(limit.id(), flows.of(limit.flow(), agent, it.trade()), it.now());
        }
        Snapshot snapshot = it.snapshot();
        if (snapshot == null || portfolio == null) {
            return null;
        }
        Integer days = limit.windowDays();
        if (days != null) {
            return loss(limit.id(), portfolio.highest(days, it.now()).max(snapshot.total()));
        }
        Usd held = limit.perAsset()
                ? portfolio.held(it.trade().asset(), it.trade().assetType())
                : portfolio.held(limit.scope());
        return position(limit.id(), held);
    }
}
