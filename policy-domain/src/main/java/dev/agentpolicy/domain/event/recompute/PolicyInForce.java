package dev.agentpolicy.domain.event.recompute;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The statement in force and the keys, as recorded up to a row. */
final class PolicyInForce {
    private @Nullable IpsVersion ips;
    private boolean isIpsErased;
    private final Map<AgentKeyId, KeyInForce> keys = new HashMap<>();
    private boolean isKeyErased;

    /** A key as recorded in the chain. */
    private record KeyInForce(
            KeyPolicy policy, Set<Scope> scopes, @Nullable Instant expiresAt, boolean isRevoked) {}

    Optional<IpsVersion> ips() {
        return Optional.ofNullable(ips);
    }

    boolean isIpsErased() {
        return isIpsErased;
    }

    void ipsErased() {
        isIpsErased = true;
    }

    void keyErased() {
        isKeyErased = true;
    }

    /** The caps of a key; empty when they are erased. */
    Optional<KeyPolicy> of(AgentKeyId id) {
        return Optional.ofNullable(keys.get(id)).map(KeyInForce::policy);
    }

    /** Whether a key may have a daily call cap; true for an unknown key. */
    boolean mayHaveCallCap(AgentKeyId id) {
        KeyInForce key = keys.get(id);
        return key == null || key.policy.dailyCallCap() != null;
    }

    @Nullable
    String ips(PolicyEvent row, Stored stored) {
        IpsVersion before = ips;
        IpsVersion next = new IpsVersion(
                Math.toIntExact(stored.integer("ipsVersion")),
                IpsDocument.readSigned(stored.object("document").document()).orElseThrow(),
                row.createdAt());
        Integer previous = stored.integerOrNull("previousIpsVersion");
        int expected = before == null ? 0 : before.version();
        boolean follows = isIpsErased()
                || next.version() == expected + 1 && (previous == null ? 0 : previous.intValue()) == expected;
        boolean isNamed = (row.kind() == EventKind.IPS_CREATED) == (previous == null);
        ips = next;
        isIpsErased = false;
        return follows && isNamed
                ? null
                : "Version " + next.version() + " of the statement does not follow version " + expected + ".";
    }

    @Nullable
    String key(EventKind kind, Stored stored) {
        AgentKeyId id = new AgentKeyId(UUID.fromString(stored.text("agentKeyId")));
        KeyInForce key = new KeyInForce(
                KeyPolicy.SCHEMA
                        .readSigned(stored.object("policy").document())
                        .withPaused(stored.has("paused") && stored.truth("paused")),
                scopes(stored.document()),
                stored.instantOrNull("expiresAt"),
                kind == EventKind.KEY_REVOKED);
        KeyInForce before = keys.put(id, key);
        if (kind == EventKind.KEY_MINTED) {
            return before == null ? null : "The key " + id + " is minted a second time.";
        }
        if (before == null) {
            return isKeyErased ? null : "The key " + id + " was never minted.";
        }
        boolean isChange = stored.has("secretChanged") && !stored.truth("secretChanged");
        boolean isSame =
                (isChange || before.policy.equals(key.policy)) && before.scopes.equals(key.scopes) && !before.isRevoked;
        return isSame ? null : "The key " + id + " is not as it was minted, or was revoked before.";
    }

    /**
     * Why the key of a decision could not have been admitted, or null. An attestation does not need an admitted key.
     */
    @Nullable
    String refused(DecisionRecord it) {
        KeyInForce key = keys.get(it.agentKeyId());
        if (key == null) {
            return isKeyErased ? null : "The key " + it.agentKeyId() + " was never minted.";
        }
        if (it.kind() == Kind.ATTESTATION || isKeyErased) {
            return null;
        }
        Instant end = key.expiresAt;
        Scope needed = it.kind() == Kind.PROPOSE ? Scope.PROPOSE : Scope.VALIDATE;
        if (key.isRevoked || end != null && !it.decision().checkedAt().isBefore(end)) {
            return "The key " + it.agentKeyId() + " did not work any more.";
        }
        return key.scopes.contains(needed)
                ? null
                : "The key " + it.agentKeyId() + " may not " + needed.wireName() + ".";
    }

    private static Set<Scope> scopes(Document key) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        List<?> names = key.get("scopes") instanceof List<?> list ? list : List.of();
        for (Scope scope : Scope.values()) {
            if (names.contains(scope.wireName())) {
                scopes.add(scope);
            }
        }
        return scopes;
    }
}
