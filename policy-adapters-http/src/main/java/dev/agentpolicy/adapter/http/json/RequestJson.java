package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.usecase.RequestReview;
import dev.agentpolicy.domain.usecase.RequestReview.AllInOrder;
import dev.agentpolicy.domain.usecase.RequestReview.Estimate;
import dev.agentpolicy.domain.usecase.RequestReview.Tightest;
import dev.agentpolicy.domain.usecase.request.ReviewRequest.Reviewed;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes a request as its user sees it (docs/reference/agent-api.md, ServiceRequest). */
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
                .object("trade", proposal.trade(), TradeJson::write)
                .present("warning", warning(proposal.asset()), JsonWriter::text)
                .text("rationale", proposal.rationale())
                .integer("ipsVersion", proposal.decision().ipsVersion())
                .object("decision", proposal.decision(), DecisionJson::write)
                .instant("createdAt", proposal.createdAt())
                .instant("expiresAt", proposal.expiresAt())
                .instant("resolvedAt", request.resolvedAt().orElse(null));
        execution(out, request);
    }

    /** Writes a request with how it would be decided now. */
    public static void write(JsonWriter out, Reviewed reviewed) {
        write(out, reviewed.request());
        out.object("now", reviewed.now(), RequestJson::review);
    }

    private static void review(JsonWriter out, RequestReview now) {
        Fraction share = now.portfolioShare();
        out.truth("allowed", now.isAllowed());
        DecisionJson.violations(out, now.violations());
        out.object("tightest", now.tightest(), RequestJson::tightest)
                .object(
                        "execution",
                        now,
                        (nested, it) -> nested.truth("possible", it.executionProblem() == null)
                                .text("reason", it.executionProblem()))
                .object("ifAllPending", now.ifAllPending(), RequestJson::verdict)
                .object("allInOrder", now.allInOrder(), RequestJson::allInOrder)
                .object("estimate", now.estimate(), RequestJson::estimate)
                .object(
                        "position",
                        now.position(),
                        (nested, it) -> nested.number("before", it.before().value())
                                .number("after", it.after().value()))
                .number("portfolioShare", share == null ? null : share.value())
                .truth("isFirstOfAsset", now.isFirstOfAsset())
                .text("custodian", now.custodian())
                .integer("ipsVersion", now.ipsVersion())
                .integer("portfolioRevision", now.portfolioRevision());
    }

    private static void tightest(JsonWriter out, Tightest tightest) {
        out.text("rule", tightest.rule().wireName())
                .number("limit", tightest.limit())
                .number("actual", tightest.actual());
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

    private static void estimate(JsonWriter out, Estimate estimate) {
        out.number("quantity", estimate.quantity())
                .number("price", estimate.price().value())
                .instant("priceAt", estimate.priceAt());
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
        out.object("execution", progress(request), (nested, members) -> members.accept(nested));
    }

    private static @Nullable Consumer<JsonWriter> progress(ServiceRequest request) {
        return request.<@Nullable Consumer<JsonWriter>>fold(
                RequestJson::unfilled, RequestJson::filled, rejected -> null);
    }

    private static @Nullable Consumer<JsonWriter> unfilled(Pending pending) {
        OrderAttempt order = pending.order();
        if (order != null) {
            return out -> order(out.text("status", "in_progress"), order);
        }
        String error = pending.executionError();
        return error == null ? null : out -> out.text("status", "failed").text("error", error);
    }

    private static Consumer<JsonWriter> filled(Completed completed) {
        OrderAttempt order = completed.order();
        boolean isWhole = order.state() instanceof OrderState.Filled;
        return out -> order(out.text("status", isWhole ? "filled" : "partially_filled"), order);
    }

    private static void order(JsonWriter out, OrderAttempt order) {
        Usd price = order.price();
        String error = order.state() instanceof OrderState.Rejected rejected ? rejected.reason() : null;
        out.text("custodian", order.custodian())
                .text("clientOrderId", order.clientOrderId())
                .text("externalId", order.externalId())
                .text("state", order.state().wireName())
                .number("orderedUsd", order.ordered().value())
                .number("quantity", order.quantity())
                .number("price", price == null ? null : price.value())
                .number("amountUsd", order.filledUsd().value())
                .instant("executedAt", order.lastFillAt())
                .truth("cancelRequested", order.isCancelRequested())
                .text("error", error)
                .present("warning", order.warning(), JsonWriter::text);
    }
}
