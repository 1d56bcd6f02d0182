package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.usecase.RequestReview;
import dev.agentpolicy.domain.usecase.RequestReview.AllInOrder;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.ReconciledRequest;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.Reconciliation;
import dev.agentpolicy.domain.usecase.request.ReviewRequest.Reviewed;
import dev.agentpolicy.domain.usecase.request.ReviewRequest.Verdicts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes requests as their user sees them (docs/reference/agent-api.md, ServiceRequest), and how they were filled. */
public final class RequestJson {

    private RequestJson() {}

    public static void write(JsonWriter out, ServiceRequest request) {
        Proposal proposal = request.proposal();
        out.integer("id", request.id())
                .text("type", ServiceRequest.TYPE)
                .text("status", request.status().wireName())
                .text("reason", request.reason())
                .text("agentKeyId", proposal.agentKeyId().toString())
                .text("agentName", proposal.agentName())
                .object("trade", proposal.trade(), DecisionJson::write)
                .present("warning", warning(proposal.asset()), JsonWriter::text)
                .text("rationale", proposal.rationale())
                .integer("ipsVersion", proposal.decision().ipsVersion())
                .object("decision", proposal.decision(), DecisionJson::write)
                .instant("createdAt", proposal.createdAt())
                .instant("expiresAt", proposal.expiresAt())
                .instant("resolvedAt", request.resolvedAt().orElse(null))
                .present("eventSeq", proposal.receipt(), (member, name, it) -> member.integer(name, it.seq()));
        execution(out, request);
    }

    /** Writes a request with how it would be decided now. */
    public static void write(JsonWriter out, Reviewed reviewed) {
        write(out, reviewed.request());
        out.object("now", reviewed.now(), RequestJson::review);
    }

    /** Writes how everything that waits would be decided now. */
    public static void write(JsonWriter out, Verdicts all) {
        out.integer("ipsVersion", all.shown().ipsVersion())
                .integer("portfolioRevision", all.shown().portfolioRevision())
                .array(
                        "verdicts",
                        all.verdicts(),
                        (nested, verdict) -> nested.integer("id", verdict.id())
                                .truth("allowed", verdict.isAllowed())
                                .truth("executable", verdict.isExecutable())
                                .number("portfolioShare", verdict.portfolioShare()));
    }

    private static void review(JsonWriter out, RequestReview now) {
        out.truth("allowed", now.isAllowed());
        DecisionJson.violations(out, now.violations());
        out.object(
                        "tightest",
                        now.tightest(),
                        (nested, it) -> nested.text("rule", it.rule().wireName())
                                .number("limit", it.limit())
                                .number("actual", it.actual())
                                .present("ruleId", it.ruleId(), JsonWriter::text))
                .object(
                        "execution",
                        now,
                        (nested, it) -> nested.truth("possible", it.executionProblem() == null)
                                .text("reason", it.executionProblem()))
                .object("ifAllPending", now.ifAllPending(), RequestJson::verdict)
                .object("allInOrder", now.allInOrder(), RequestJson::allInOrder)
                .array("policyLimits", now.limits(), IpsJson::standing)
                .object(
                        "estimate",
                        now.estimate(),
                        (nested, it) -> nested.number("quantity", it.quantity())
                                .number("price", it.price())
                                .instant("priceAt", it.priceAt()))
                .object(
                        "position",
                        now.position(),
                        (nested, it) -> nested.number("before", it.before()).number("after", it.after()))
                .number("portfolioShare", now.portfolioShare())
                .truth("isFirstOfAsset", now.isFirstOfAsset())
                .text("custodian", now.custodian())
                .integer("ipsVersion", now.ipsVersion())
                .integer("portfolioRevision", now.portfolioRevision());
    }

    private static void verdict(JsonWriter out, List<Violation> violations) {
        out.truth("allowed", violations.isEmpty());
        DecisionJson.violations(out, violations);
    }

    private static void allInOrder(JsonWriter out, AllInOrder all) {
        out.integer("checked", all.checked())
                .truth("more", all.hasMore())
                .object("firstBlocked", all.firstBlocked(), (nested, blocked) -> {
                    nested.integer("id", blocked.id());
                    DecisionJson.violations(nested, blocked.violations());
                });
    }

    /** What the user should know before accepting; null if there is nothing. */
    private static @Nullable String warning(@Nullable ResolvedAsset asset) {
        return asset == null || asset.isKnown()
                ? null
                : "Nobody knows this asset: that " + asset.symbol() + " is "
                        + asset.assetType().wireName() + " is only what the agent says.";
    }

    /** Writes how far a request was executed; null until it is accepted, and once it is rejected. */
    static void execution(JsonWriter out, ServiceRequest request) {
        if (request instanceof Pending pending && pending.order() != null) {
            execution(out, "in_progress", pending.order());
        } else if (request instanceof Pending pending && pending.executionError() != null) {
            out.object(
                    "execution",
                    pending.executionError(),
                    (failed, error) -> failed.text("status", "failed").text("error", error));
        } else if (request instanceof Completed completed) {
            boolean isWhole = completed.order().state() instanceof OrderState.Filled;
            execution(out, isWhole ? "filled" : "partially_filled", completed.order());
        } else {
            out.nothing("execution");
        }
    }

    private static void execution(JsonWriter out, String status, OrderAttempt order) {
        out.object("execution", order, (execution, it) -> order(execution.text("status", status), it));
    }

    private static void order(JsonWriter out, OrderAttempt order) {
        String error = order.state() instanceof OrderState.Rejected rejected ? rejected.reason() : null;
        out.text("custodian", order.custodian())
                .text("clientOrderId", order.clientOrderId())
                .text("externalId", order.externalId())
                .text("state", order.state().wireName())
                .number("orderedUsd", order.ordered())
                .number("quantity", order.quantity())
                .number("price", order.price())
                .number("amountUsd", order.filledUsd())
                .instant("executedAt", order.lastFillAt())
                .truth("cancelRequested", order.isCancelRequested())
                .text("error", error)
                .present("warning", order.warning(), JsonWriter::text);
        bound(out, order);
    }

    /** Writes the bound of the price; nothing while there is none. */
    private static void bound(JsonWriter out, @Nullable OrderAttempt order) {
        PriceBound bound = order == null ? null : order.bound();
        if (bound != null) {
            out.number("referencePrice", bound.reference())
                    .instant("referenceAt", bound.referenceAt())
                    .number("limitPrice", bound.limit())
                    .present("orderedQuantity", bound.quantity(), JsonWriter::number);
        }
    }

    /** Writes the fill of a trade whose asset the caller knows. */
    public static void write(JsonWriter out, Fill fill) {
        out.text("custodian", fill.custodian()).text("externalId", fill.id());
        amounts(out, fill);
    }

    private static void withAsset(JsonWriter out, Fill fill) {
        out.text("custodian", fill.custodian())
                .text("externalId", fill.id())
                .text("clientOrderId", fill.clientOrderId())
                .text("action", fill.action().wireName())
                .text("symbol", fill.symbol().value())
                .text("assetType", fill.assetType().wireName());
        amounts(out, fill);
    }

    private static void amounts(JsonWriter out, Fill fill) {
        out.number("quantity", fill.quantity())
                .number("price", fill.price())
                .number("amountUsd", fill.amountUsd())
                .instant("executedAt", fill.executedAt());
    }

    /** Writes what was attested beside what was filled (docs/reference/custodians.md, reconciliation). */
    public static void write(JsonWriter out, Reconciliation reconciliation) {
        out.array("requests", reconciliation.requests(), RequestJson::request)
                .array("unattested", reconciliation.unattested(), RequestJson::withAsset)
                .id("nextCursor", reconciliation.next());
    }

    private static void request(JsonWriter out, ReconciledRequest reconciled) {
        Proposal proposal = reconciled.request().proposal();
        OrderAttempt order = reconciled.order();
        out.integer("serviceRequestId", reconciled.request().id())
                .text("status", reconciled.request().status().wireName())
                .text("agentKeyId", proposal.agentKeyId().toString())
                .text("agentName", proposal.agentName())
                .object("trade", proposal.trade(), DecisionJson::write)
                .text("custodian", order == null ? null : order.custodian())
                .text("clientOrderId", order == null ? null : order.clientOrderId())
                .text("state", order == null ? null : order.state().wireName())
                .number("allowedUsd", reconciled.allowed())
                .number("orderedUsd", order == null ? null : order.ordered())
                .number("filledUsd", reconciled.filled())
                .number("deviationUsd", reconciled.deviation())
                .array("fills", reconciled.fills(), (nested, fill) -> {
                    withAsset(nested, fill);
                    Fraction slippage = reconciled.slippage(fill);
                    if (slippage != null) {
                        nested.number("slippagePct", slippage.value().movePointRight(2));
                    }
                });
        bound(out, order);
    }
}
