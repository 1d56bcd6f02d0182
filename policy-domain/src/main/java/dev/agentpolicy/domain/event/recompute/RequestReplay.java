package dev.agentpolicy.domain.event.recompute;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open requests of a chain, and the assets under management of each key that follow from them.
 *
 * <p>The chain does not record that a request expired or that its order ended, so what is not filled of a request may or
 * may not count.
 */
final class RequestReplay {
    private final Map<Long, OpenRequest> open = new HashMap<>();
    /** Accepted and then rejected: a custodian may list a fill of an order that it had said came to nothing. */
    private final Map<Long, OpenRequest> rejected = new HashMap<>();

    private final Map<AgentKeyId, Usd> executed = new HashMap<>();
    private final Map<AgentKeyId, Usd> waiting = new HashMap<>();
    private boolean isErased;

    /**
     * A request that was not rejected, and what was filled of it.
     *
     * @param acceptances after the second one, fills may be those of the first order, and all of the second may be pending
     */
    private record OpenRequest(AgentKeyId key, Trade trade, List<Approval> approvals, Usd filled, int acceptances) {

        Usd pendingBuy() {
            Usd counted = acceptances > 1 ? Usd.ZERO : filled;
            return trade.isBuy() ? trade.amount().minus(counted).max(Usd.ZERO) : Usd.ZERO;
        }

        OpenRequest accepted() {
            return new OpenRequest(key, trade, approvals, filled, acceptances + 1);
        }

        OpenRequest plus(Usd amount) {
            return new OpenRequest(key, trade, approvals, filled.plus(amount), acceptances);
        }
    }

    /** Notes that not every request is known any more. */
    void erased() {
        isErased = true;
    }

    /** How a decision contradicts the requests and assets so far, or null. */
    @Nullable
    String contradicted(DecisionRecord it) {
        if (isErased) {
            return null;
        }
        Long id = it.serviceRequestId();
        OpenRequest request = id == null ? null : open.get(id);
        if (it.kind() == Kind.ATTESTATION
                && (request == null || !request.key.equals(it.agentKeyId()) || !request.trade.equals(it.trade()))) {
            return "The user attested a request that is not open, or another trade than was proposed.";
        }
        if (it.kind() == Kind.PROPOSE && request != null) {
            return "The request " + id + " was created before.";
        }
        Usd own = request == null ? Usd.ZERO : request.pendingBuy();
        Usd least = executed.getOrDefault(it.agentKeyId(), Usd.ZERO);
        Usd most = least.plus(waiting.getOrDefault(it.agentKeyId(), Usd.ZERO)).minus(own);
        Usd said = it.used().aum();
        if (said.isBelow(least.max(Usd.ZERO)) || said.isAbove(most.max(Usd.ZERO))) {
            return "The key managed " + least.max(Usd.ZERO) + " to " + most.max(Usd.ZERO) + " USD, not " + said + ".";
        }
        return null;
    }

    /** The approvals that the request of an attestation was proposed under; its own if the proposal is erased. */
    List<Approval> approvals(DecisionRecord it) {
        Long id = it.serviceRequestId();
        OpenRequest request = id == null ? null : open.get(id);
        return request == null ? it.approvals() : request.approvals;
    }

    void count(DecisionRecord it) {
        Long id = it.serviceRequestId();
        Trade trade = it.trade();
        if (id != null && trade != null && it.kind() == Kind.PROPOSE) {
            open(id, new OpenRequest(it.agentKeyId(), trade, it.approvals(), Usd.ZERO, 0));
        } else if (id != null && it.attestation() != null) {
            OpenRequest request = close(id);
            if (request == null) {
                return;
            }
            if (it.attestation().isAccepted()) {
                open(id, it.decision().isAllowed() ? request.accepted() : request);
            } else if (request.acceptances > 0) {
                rejected.put(id, request);
            }
        }
    }

    /** Reads a trade at a custodian. If it executes a request or a part of it, it must be the proposed trade. */
    @Nullable
    String observed(Stored stored) {
        Long id = stored.longOrNull("serviceRequestId");
        if (id == null) {
            return null;
        }
        OpenRequest waiting = close(id);
        OpenRequest request = waiting == null ? rejected.get(id) : waiting;
        if (request == null) {
            return isErased ? null : "A trade executes the request " + id + ", which is not open.";
        }
        Trade trade = request.trade;
        Usd amount = new Usd(stored.decimal("amountUsd"));
        executed.merge(request.key, trade.isBuy() ? amount : Usd.ZERO.minus(amount), Usd::plus);
        if (waiting != null) {
            open(id, waiting.plus(amount));
        }
        boolean isSame = stored.text("symbol").equals(trade.asset().value())
                && stored.text("assetType").equals(trade.assetType().wireName())
                && stored.text("action").equals(trade.action().wireName());
        return isSame ? null : "The trade that executes the request " + id + " is not the one that was proposed.";
    }

    private void open(long id, OpenRequest request) {
        open.put(id, request);
        waiting.merge(request.key, request.pendingBuy(), Usd::plus);
    }

    private @Nullable OpenRequest close(long id) {
        OpenRequest request = open.remove(id);
        if (request != null) {
            waiting.merge(request.key, request.pendingBuy(), Usd::minus);
        }
        return request;
    }
}
