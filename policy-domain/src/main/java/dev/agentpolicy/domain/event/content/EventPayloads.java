package dev.agentpolicy.domain.event.content;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKey.ConnectedClient;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.NetworkRange;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.passkey.AttestedChange.SignedChange;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Drift;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of everything but decisions (docs/reference/events.md). */
public final class EventPayloads {

    private static final String PASSKEY = "passkey";
    private static final String VIEWER = "viewer";

    /** The member that holds what a user signed to change the policy. */
    public static final String CONFIRMATION = "confirmation";

    private static final Schema<ConnectedClient> CLIENT = Schema.of(
            row -> new ConnectedClient(row.next(), row.next()),
            required("id", Codec.TEXT, ConnectedClient::id),
            required("host", Codec.TEXT, ConnectedClient::host));

    private EventPayloads() {}

    /** {@code ips.created} for the first version, else {@code ips.amended}. */
    public static EventDraft ips(IpsVersion version, @Nullable IpsVersion previous) {
        return ips(version, previous, null, null);
    }

    /**
     * As above, also for a version that waited or was signed.
     *
     * @param scheduledAt when the user put it; null for one that did not wait
     * @param signed what the user signed with a passkey to put it; null when nothing was signed
     */
    public static EventDraft ips(
            IpsVersion version,
            @Nullable IpsVersion previous,
            @Nullable Instant scheduledAt,
            @Nullable SignedChange signed) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("ipsVersion", version.version());
        members.put("previousIpsVersion", previous == null ? null : previous.version());
        members.put("document", IpsDocument.toSigned(version.ips()));
        if (scheduledAt != null) {
            members.put("scheduledAt", Instants.format(scheduledAt));
        }
        if (signed != null) {
            members.put(CONFIRMATION, SignedChange.SCHEMA.write(signed));
        }
        return new EventDraft(previous == null ? EventKind.IPS_CREATED : EventKind.IPS_AMENDED, members);
    }

    /** {@code key.rotated}, for a key that was changed and keeps its secret. */
    public static EventDraft keyChanged(AgentKey key) {
        return key(EventKind.KEY_ROTATED, key, false);
    }

    /** {@code key.minted}, {@code key.rotated} or {@code key.revoked}, without the credential or its hash. */
    public static EventDraft key(EventKind kind, AgentKey key) {
        return key(kind, key, kind == EventKind.KEY_ROTATED);
    }

    private static EventDraft key(EventKind kind, AgentKey key, boolean isSecretChanged) {
        Instant expiresAt = key.expiresAt();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("agentKeyId", key.id().toString());
        members.put("name", key.name());
        members.put("keyType", key.type().wireName());
        members.put(
                "scopes",
                key.scopes().stream().sorted().map(scope -> scope.wireName()).toList());
        members.put("policy", KeyPolicy.SCHEMA.write(key.policy()));
        members.put("expiresAt", expiresAt == null ? null : Instants.format(expiresAt));
        ConnectedClient client = key.client();
        if (client == null) {
            members.put("last4", key.last4());
        } else {
            members.put("client", CLIENT.write(client));
        }
        members.put(
                "allowedCidrs",
                key.networks().stream().map(NetworkRange::toString).toList());
        members.put("paused", key.policy().isPaused());
        if (kind == EventKind.KEY_ROTATED) {
            members.put("secretChanged", isSecretChanged);
        }
        return new EventDraft(kind, members);
    }

    /** {@code key.minted} or {@code key.revoked} of a passkey. */
    public static EventDraft passkey(EventKind kind, Passkey passkey) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("keyClass", PASSKEY);
        members.put("credentialId", passkey.credentialId());
        members.put("name", passkey.name());
        members.put("publicKey", passkey.key().toJwk());
        members.put("rpId", passkey.rpId());
        return new EventDraft(kind, members);
    }

    /** {@code key.minted} or {@code key.revoked} of a viewer, without the secret or its hash. */
    public static EventDraft viewer(EventKind kind, Viewer viewer) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("keyClass", VIEWER);
        members.put("viewerId", viewer.id().toString());
        members.put("name", viewer.name());
        members.put("expiresAt", Instants.format(viewer.expiresAt()));
        return new EventDraft(kind, members);
    }

    /** Whether the payload of an event of a key is that of a viewer. */
    public static boolean isOfViewer(Document payload) {
        return VIEWER.equals(payload.get("keyClass"));
    }

    /** Whether the payload of an event of a key is that of a passkey. */
    public static boolean isOfPasskey(Document payload) {
        return PASSKEY.equals(payload.get("keyClass"));
    }

    /** {@code policy.drift_detected} or {@code policy.drift_cleared}. */
    public static EventDraft drift(EventKind kind, Drift drift, int ipsVersion, Snapshot snapshot) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("rule", drift.rule().wireName());
        members.put("limit", Decimals.text(drift.limit().value()));
        members.put("actual", Decimals.text(drift.actual().value()));
        members.put("ipsVersion", ipsVersion);
        members.put("snapshot", DecisionDocument.SNAPSHOT.write(snapshot));
        return new EventDraft(kind, members);
    }

    /**
     * {@code broker.trade_observed}: initiated by the service if there is a request, else by the user.
     *
     * @param limit the price bound of the order; null for an order without one
     */
    public static EventDraft tradeObserved(RecordedFill recorded, @Nullable Usd limit) {
        Fill fill = recorded.fill();
        Long requestId = recorded.requestId();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("custodian", fill.custodian());
        members.put("externalId", fill.id());
        members.put("symbol", fill.symbol().value());
        members.put("assetType", fill.assetType().wireName());
        members.put("action", fill.action().wireName());
        members.put("quantity", Decimals.text(fill.quantity()));
        members.put("price", Decimals.text(fill.price().value()));
        members.put("amountUsd", Decimals.text(fill.amountUsd().value()));
        members.put("executedAt", Instants.format(fill.executedAt()));
        members.put("source", requestId == null ? "user_initiated" : "service_initiated");
        members.put("serviceRequestId", requestId);
        if (limit != null) {
            members.put("limitPrice", Decimals.text(limit.value()));
        }
        return new EventDraft(EventKind.TRADE_OBSERVED, members);
    }
}
