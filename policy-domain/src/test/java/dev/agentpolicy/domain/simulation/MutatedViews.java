package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.DailyDecisions;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The falsified accounts and outcomes of the mutants. */
final class MutatedViews {

    private MutatedViews() {}

    static Account withoutCaps(Account it) {
        Map<AgentKeyId, AgentKey> keys = new HashMap<>();
        it.keys().forEach((id, key) -> keys.put(id, uncapped(key)));
        return new Account(
                it.userId(),
                it.now(),
                it.ips(),
                it.portfolio(),
                keys,
                it.decided(),
                it.tallies(),
                it.calls(),
                it.requests(),
                it.replays(),
                it.requestIds());
    }

    static Account withoutDecisions(Account it) {
        return new Account(
                it.userId(),
                it.now(),
                it.ips(),
                it.portfolio(),
                it.keys(),
                DailyDecisions.NONE,
                it.tallies(),
                it.calls(),
                it.requests(),
                it.replays(),
                it.requestIds());
    }

    static Account withoutRequests(Account it) {
        return new Account(
                it.userId(),
                it.now(),
                it.ips(),
                it.portfolio(),
                it.keys(),
                it.decided(),
                it.tallies(),
                it.calls(),
                Map.of(),
                it.replays(),
                it.requestIds());
    }

    static Account reopened(Account it) {
        Map<Long, ServiceRequest> requests = new HashMap<>();
        it.requests()
                .forEach((id, request) -> requests.put(
                        id,
                        request.fold(
                                pending -> pending,
                                completed -> Pending.of(completed.proposal()),
                                rejected -> Pending.of(rejected.proposal()))));
        return new Account(
                it.userId(),
                it.now(),
                it.ips(),
                it.portfolio(),
                it.keys(),
                it.decided(),
                it.tallies(),
                it.calls(),
                requests,
                it.replays(),
                it.requestIds());
    }

    /** Removes the asset whose sleeve only the holdings determine. */
    static Account withoutUnlistedAssets(Account it) {
        Portfolio portfolio = it.portfolio();
        List<CustodianHoldings> custodians = portfolio == null
                ? List.of()
                : portfolio.custodians().stream()
                        .map(MutatedViews::withoutGrove)
                        .toList();
        return new Account(
                it.userId(),
                it.now(),
                it.ips(),
                portfolio == null
                        ? null
                        : new Portfolio(portfolio.revision(), custodians, portfolio.peak(), portfolio.asOf()),
                it.keys(),
                it.decided(),
                it.tallies(),
                it.calls(),
                it.requests(),
                it.replays(),
                it.requestIds());
    }

    private static CustodianHoldings withoutGrove(CustodianHoldings it) {
        return new CustodianHoldings(
                it.id(),
                it.name(),
                it.kind(),
                it.syncedAt(),
                it.revision(),
                it.cash(),
                it.positions().stream()
                        .filter(position -> !position.symbol().value().equals(AssetInvariants.GROVE))
                        .toList());
    }

    /** The same decision, recorded as blocked. */
    static EventDraft blocked(EventDraft draft) {
        Map<String, Object> members = new HashMap<>(draft.payload());
        members.computeIfPresent("allowed", (name, allowed) -> false);
        return new EventDraft(draft.kind(), members);
    }

    static Order named(Order it, String name) {
        return new Order(
                name,
                it.userId(),
                it.custodian(),
                it.action(),
                it.symbol(),
                it.assetType(),
                it.amount(),
                it.quantity(),
                it.price());
    }

    static List<Receipt> receipts(Outcome<?> outcome) {
        return outcome.events().stream()
                .map(event -> new Receipt(1, "never written"))
                .toList();
    }

    static boolean isAccepted(ServiceRequest request) {
        return request instanceof Pending pending && pending.isAccepted();
    }

    /** Resets a tally, except the calls of a capped key. */
    private static AgentKey uncapped(AgentKey it) {
        Integer calls = it.policy().dailyCallCap() == null ? null : Integer.MAX_VALUE;
        return new AgentKey(
                it.id(),
                it.userId(),
                it.name(),
                it.type(),
                it.scopes(),
                new KeyPolicy(calls, null, null, null, null),
                it.credentialHash(),
                it.last4(),
                it.createdAt(),
                it.expiresAt(),
                it.rotatedAt(),
                it.revokedAt());
    }
}
