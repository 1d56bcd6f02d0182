package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyPolicyDocument;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.SignedIps;
import dev.agentpolicy.domain.portfolio.Drift;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.request.Execution;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of everything but decisions (docs/reference/events.md). */
public final class EventPayloads {

    private EventPayloads() {}

    /** {@code ips.created} for the first version, else {@code ips.amended}. */
    public static EventDraft ips(IpsVersion version, @Nullable IpsVersion previous) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("ipsVersion", version.version());
        members.put("previousIpsVersion", previous == null ? null : previous.version());
        members.put("document", SignedIps.of(version.ips()));
        return new EventDraft(previous == null ? EventKind.IPS_CREATED : EventKind.IPS_AMENDED, members);
    }

    /** {@code key.minted}, {@code key.rotated} or {@code key.revoked}, without the credential or its hash. */
    public static EventDraft key(EventKind kind, AgentKey key) {
        Instant expiresAt = key.expiresAt();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("agentKeyId", key.id().toString());
        members.put("name", key.name());
        members.put("keyType", key.type().wireName());
        members.put(
                "scopes",
                key.scopes().stream().sorted().map(scope -> scope.wireName()).toList());
        members.put("policy", KeyPolicyDocument.toSigned(key.policy()));
        members.put("expiresAt", expiresAt == null ? null : Instants.format(expiresAt));
        members.put("last4", key.last4());
        return new EventDraft(kind, members);
    }

    /** {@code policy.drift_detected} or {@code policy.drift_cleared}. */
    public static EventDraft drift(EventKind kind, Drift drift, int ipsVersion, Snapshot snapshot) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("rule", drift.rule().wireName());
        members.put("limit", Decimals.text(drift.limit().value()));
        members.put("actual", Decimals.text(drift.actual().value()));
        members.put("ipsVersion", ipsVersion);
        members.put("snapshot", DecisionDocument.snapshot(snapshot));
        return new EventDraft(kind, members);
    }

    /** {@code broker.trade_observed}: initiated by the service if there is a request, else by the user. */
    public static EventDraft tradeObserved(
            Execution execution, Action action, AssetSymbol symbol, AssetType assetType, @Nullable Long requestId) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("custodian", execution.custodian());
        members.put("externalId", execution.externalId());
        members.put("symbol", symbol.value());
        members.put("assetType", assetType.wireName());
        members.put("action", action.wireName());
        members.put("quantity", Decimals.text(execution.quantity()));
        members.put("price", Decimals.text(execution.price().value()));
        members.put("amountUsd", Decimals.text(execution.amountUsd().value()));
        members.put("executedAt", Instants.format(execution.executedAt()));
        members.put("source", requestId == null ? "user_initiated" : "service_initiated");
        members.put("serviceRequestId", requestId);
        return new EventDraft(EventKind.TRADE_OBSERVED, members);
    }
}
