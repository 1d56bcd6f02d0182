package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.DailyDecisions;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The falsified accounts and outcomes of the mutants. */
final class MutatedViews {

    private MutatedViews() {}

    static Account withoutCaps(Account it) {
        Map<AgentKeyId, AgentKey> keys = new HashMap<>();
        it.keys().forEach((id, key) -> keys.put(id, uncapped(key)));
        return of(it, it.portfolio(), it.connections(), keys, it.decided(), it.requests());
    }

    static Account withoutDecisions(Account it) {
        return of(it, it.portfolio(), it.connections(), it.keys(), DailyDecisions.NONE, it.requests());
    }

    static Account withoutRequests(Account it) {
        return of(it, it.portfolio(), it.connections(), it.keys(), it.decided(), Map.of());
    }

    static Account withoutConnections(Account it) {
        return of(it, it.portfolio(), CustodianConnections.NONE, it.keys(), it.decided(), it.requests());
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
        return of(it, it.portfolio(), it.connections(), it.keys(), it.decided(), requests);
    }

    /** Removes the asset whose sleeve only the holdings determine. */
    static Account withoutUnlistedAssets(Account it) {
        return withHoldings(it, MutatedViews::withoutGrove);
    }

    static Account withoutOpenOrders(Account it) {
        return withHoldings(it, holdings -> holdings.with(List.of()));
    }

    /** The account, in which a custodian and the orders there are as they were before. */
    static Account asBefore(Account it, Account before, String custodian) {
        Portfolio now = it.portfolio();
        Portfolio then = before.portfolio();
        CustodianHoldings holdings =
                then == null ? null : then.custodian(custodian).orElse(null);
        if (now == null || holdings == null || now.custodian(custodian).isEmpty()) {
            return it;
        }
        Map<Long, ServiceRequest> requests = new HashMap<>(it.requests());
        requests.values().removeIf(MutatedViews::isAccepted);
        requests.putAll(before.requests());
        Account seen = withHoldings(it, known -> known.id().equals(custodian) ? holdings : known);
        return of(seen, seen.portfolio(), before.connections(), it.keys(), it.decided(), requests);
    }

    private static Account withHoldings(Account it, UnaryOperator<CustodianHoldings> changed) {
        Portfolio portfolio = it.portfolio();
        Portfolio seen = portfolio == null
                ? null
                : new Portfolio(
                        portfolio.revision(),
                        portfolio.custodians().stream().map(changed).toList(),
                        portfolio.peak(),
                        portfolio.asOf());
        return of(it, seen, it.connections(), it.keys(), it.decided(), it.requests());
    }

    private static Account of(
            Account it,
            Portfolio portfolio,
            CustodianConnections connections,
            Map<AgentKeyId, AgentKey> keys,
            DailyDecisions decided,
            Map<Long, ServiceRequest> requests) {
        return new Account(
                it.userId(),
                it.now(),
                it.ips(),
                portfolio,
                connections,
                it.passkeys(),
                keys,
                decided,
                it.written(),
                it.tallies(),
                it.flows(),
                it.calls(),
                requests,
                it.fills(),
                it.replays(),
                it.requestIds());
    }

    static Account withFlows(Account it, FlowCounts flows) {
        return new Account(
                it.userId(),
                it.now(),
                it.ips(),
                it.portfolio(),
                it.connections(),
                it.passkeys(),
                it.keys(),
                it.decided(),
                it.written(),
                it.tallies(),
                flows,
                it.calls(),
                it.requests(),
                it.fills(),
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
                        .toList(),
                it.openOrders());
    }

    /** The same decision, recorded as blocked. */
    static EventDraft blocked(EventDraft draft) {
        Map<String, Object> members = new HashMap<>(draft.payload());
        members.computeIfPresent("allowed", (name, allowed) -> false);
        return new EventDraft(draft.kind(), members);
    }

    /** The same decision, of a key that manages more than it does. */
    static EventDraft unused(EventDraft draft) {
        Map<String, Object> members = new HashMap<>(draft.payload());
        members.computeIfPresent("used", (name, used) -> Map.of("calls", 0, "usd", "0", "aum", "1000000"));
        return new EventDraft(draft.kind(), members);
    }

    static Order named(Order it, String name) {
        return new Order(
                name,
                it.userId(),
                it.custodian(),
                it.kind(),
                it.action(),
                it.symbol(),
                it.assetType(),
                it.amount(),
                it.quantity(),
                it.price(),
                it.limit());
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
                it.revokedAt(),
                List.of(),
                null);
    }
}
