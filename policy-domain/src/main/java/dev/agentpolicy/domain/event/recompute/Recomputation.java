package dev.agentpolicy.domain.event.recompute;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalCount;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetDirectory.Entry;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.ResolvedAsset.Source;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides every decision of a chain again, from the chain alone (docs/verify.md, Recompute the verdicts).
 *
 * <p>Reads the rows of a verified chain one by one and holds only the statement in force, the keys and the open
 * requests. Signatures prove who wrote a verdict; this proves that the verdict is right.
 */
public final class Recomputation {
    private static final String SALT = "salt";
    private static final int MAX_SHOWN = 200;

    private final PolicyInForce policy = new PolicyInForce();
    private final CapUsageReplay used = new CapUsageReplay();
    private final FlowReplay flows = new FlowReplay();
    private final RequestReplay requests = new RequestReplay();
    private final AssetNotes assets = new AssetNotes();
    private final Map<RecomputationResult, Long> counts = new EnumMap<>(RecomputationResult.class);

    private Recomputation() {}

    /** A recomputation that begins with the first row of a chain. */
    public static Recomputation begin() {
        return new Recomputation();
    }

    /** The result for one decision. */
    public enum RecomputationResult {
        /** The verdict was computed again, byte for byte. */
        RECOMPUTED,
        /** The trade could not be read, and the violations say so. */
        UNREADABLE,
        /** The user rejected the request, so there is nothing to decide. */
        TURNED_DOWN,
        /** The decision, or something it depends on, is erased. */
        ERASED
    }

    /**
     * The first difference between the chain and its recomputation.
     *
     * @param seq the number of the row
     * @param what one sentence
     */
    public record Difference(long seq, String what) {}

    /** The number of decisions with an outcome so far. */
    public long count(RecomputationResult outcome) {
        return counts.getOrDefault(outcome, 0L);
    }

    /** Remarks on the assets of decisions that are not failures. */
    public AssetNotes assetNotes() {
        return assets;
    }

    /** Reads the next row and returns its difference, if any. After a difference no further row may be read. */
    public Optional<Difference> row(PolicyEvent row) {
        String wrong;
        try {
            wrong = row.payload() == null ? erased(row) : contents(row, CanonicalForm.read(row.payload()));
        } catch (RuntimeException unreadable) {
            // A payload may hold anything; the message of its reader is the difference.
            wrong = "The payload is not one this service writes: " + unreadable.getMessage();
        }
        return Optional.ofNullable(wrong).map(what -> new Difference(row.seq(), what));
    }

    private @Nullable String erased(PolicyEvent row) {
        used.endBatch();
        switch (row.kind()) {
            case IPS_CREATED, IPS_AMENDED -> {
                policy.ipsErased();
                flows.erased(row.createdAt(), true);
            }
            case KEY_MINTED, KEY_ROTATED, KEY_REVOKED -> {
                policy.keyErased();
                used.keyErased();
            }
            case TRADE_OBSERVED -> requests.erased();
            case GUARDRAIL_DECISION -> {
                used.erased(row.createdAt());
                flows.erased(row.createdAt(), false);
                requests.erased();
                add(RecomputationResult.ERASED);
            }
            default -> {
                // No decision depends on the contents of the other kinds.
            }
        }
        return null;
    }

    private @Nullable String contents(PolicyEvent row, Document payload) {
        if (row.kind() == EventKind.GUARDRAIL_DECISION) {
            return decision(row, DecisionPayload.read(payload), payload);
        }
        used.endBatch();
        Stored stored = new Stored(payload);
        return switch (row.kind()) {
            case IPS_CREATED, IPS_AMENDED -> {
                String wrong = policy.ips(row, stored);
                flows.ips(statement());
                yield wrong;
            }
            case KEY_MINTED, KEY_REVOKED ->
                // No decision depends on passkeys, which PasskeySignatures checks, or on viewers.
                EventPayloads.isOfPasskey(payload) || EventPayloads.isOfViewer(payload)
                        ? null
                        : policy.key(row.kind(), stored);
            case KEY_ROTATED -> {
                used.rotated(new AgentKeyId(UUID.fromString(stored.text("agentKeyId"))));
                yield policy.key(row.kind(), stored);
            }
            case TRADE_OBSERVED -> requests.observed(stored);
            default -> null;
        };
    }

    private @Nullable String decision(PolicyEvent row, DecisionRecord it, Document payload) {
        assets.look(row.seq(), it.asset());
        String wrong = form(row, it);
        wrong = wrong != null ? wrong : policy.refused(it);
        wrong = wrong != null ? wrong : used.contradicted(it, policy.mayHaveCallCap(it.agentKeyId()));
        wrong = wrong != null ? wrong : requests.contradicted(it);
        wrong = wrong != null ? wrong : verdict(it, payload);
        used.count(it);
        if (policy.isIpsErased()) {
            flows.erased(row.createdAt(), true);
        } else {
            flows.count(it, limits());
        }
        requests.count(it);
        return wrong;
    }

    private @Nullable Ips statement() {
        return policy.ips().map(IpsVersion::ips).orElse(null);
    }

    private List<Limit> limits() {
        Ips statement = statement();
        return statement == null ? List.of() : statement.limits();
    }

    /** Checks the form of a decision, before its context. */
    private static @Nullable String form(PolicyEvent row, DecisionRecord it) {
        if (!it.decision().checkedAt().equals(row.createdAt())) {
            return "The clock of the decision is not the time of its row.";
        }
        if ((it.kind() == Kind.ATTESTATION) != (it.attestation() != null)
                || (it.kind() == Kind.VALIDATE_BATCH) != (it.batchIndex() != null)) {
            return "The decision has members that do not go with its kind.";
        }
        boolean hasRequest = it.kind() == Kind.ATTESTATION || it.kind() == Kind.PROPOSE && it.isAllowed();
        return hasRequest == (it.serviceRequestId() != null)
                ? null
                : "There is a request where none should be, or none.";
    }

    private @Nullable String verdict(DecisionRecord it, Document payload) {
        Trade trade = it.trade();
        if (trade == null) {
            return unreadable(it, payload);
        }
        if (it.attestation() != null && !it.attestation().isAccepted()) {
            add(RecomputationResult.TURNED_DOWN);
            return difference(it, without(it, List.of()), payload);
        }
        if (it.asset() != null && it.asset().refuses(trade.assetType())) {
            return ofRefusedAsset(trade, it.asset(), it, payload);
        }
        KeyPolicy keyPolicy = policy.of(it.agentKeyId()).orElse(null);
        if (keyPolicy == null || policy.isIpsErased()) {
            add(RecomputationResult.ERASED);
            return null;
        }
        IpsVersion inForce = policy.ips().orElse(null);
        Integer version = inForce == null ? null : inForce.version();
        if (!Objects.equals(it.decision().ipsVersion(), version)) {
            return "The decision was held against version " + it.decision().ipsVersion() + " of the statement; version "
                    + version + " was in force.";
        }
        if (it.asset() != null && !it.asset().equals(it.asset().under(treatment(inForce)))) {
            return "The asset was recorded as " + it.asset().source().wireName()
                    + ", but the statement treats unknown assets otherwise.";
        }
        if (it.decision().stale() != null && it.decision().snapshot() != null) {
            return "The decision names a custodian that is too old, and yet has a snapshot.";
        }
        String wrong = flows.contradicted(it, trade, statement());
        if (wrong != null) {
            return wrong;
        }
        add(RecomputationResult.RECOMPUTED);
        EvaluationContext context = new EvaluationContext(
                trade,
                it.asset(),
                inForce,
                it.decision().snapshot(),
                it.held(),
                keyPolicy,
                it.used(),
                it.decision().stale(),
                approvals(it, inForce),
                it.limits(),
                it.decision().checkedAt());
        return difference(
                it, Evaluator.decide(context), context.usedApprovals(), it.approvalCounts(), it.limits(), payload);
    }

    /** The approvals that a request kept from its proposal, and those in force for the key. */
    private List<ApprovalUse> approvals(DecisionRecord it, @Nullable IpsVersion inForce) {
        Stream<Approval> kept = it.attestation() == null ? Stream.empty() : requests.approvals(it).stream();
        Stream<ApprovalUse> current = inForce == null
                ? Stream.empty()
                : inForce.ips().approvals(it.agentKeyId().value(), it.decision().checkedAt()).stream()
                        .map(approval -> recorded(approval, it, inForce.ips()));
        return Stream.concat(kept.map(ApprovalUse::nothing), current).distinct().toList();
    }

    /** What a decision says is used of an approval. */
    private static ApprovalUse recorded(Approval approval, DecisionRecord it, Ips ips) {
        int place = ips.approvals().indexOf(approval);
        for (ApprovalCount count : it.approvalCounts()) {
            if (count.approval() == place) {
                return new ApprovalUse(approval, count.uses(), count.usd());
            }
        }
        return ApprovalUse.nothing(approval);
    }

    /** A trade that is refused for its asset is decided without portfolio and statement. */
    private @Nullable String ofRefusedAsset(Trade trade, ResolvedAsset asset, DecisionRecord it, Document payload) {
        if (it.held() != null) {
            return "The call is refused for its asset, and yet the decision says what is held of it.";
        }
        add(RecomputationResult.RECOMPUTED);
        Instant now = it.decision().checkedAt();
        Decision again = Evaluator.decide(
                new EvaluationContext(trade, asset, null, null, null, KeyPolicy.NO_CAPS, it.used(), now));
        return difference(it, again, payload);
    }

    private static UnknownAssets treatment(@Nullable IpsVersion inForce) {
        return inForce == null ? UnknownAssets.AS_SAID : inForce.ips().unknownAssets();
    }

    /** Only an item of a batch can be unreadable; then its violations say exactly that. */
    private @Nullable String unreadable(DecisionRecord it, Document payload) {
        boolean said = it.kind() == Kind.VALIDATE_BATCH
                && !it.decision().violations().isEmpty()
                && it.decision().violations().stream()
                        .allMatch(violation -> violation.rule() == Rule.INVALID_PAYLOAD
                                && violation.limit() == null
                                && violation.actual() == null);
        if (!said) {
            return "The trade is missing, but the violations are not those of an unreadable one.";
        }
        add(RecomputationResult.UNREADABLE);
        return difference(it, without(it, it.decision().violations()), payload);
    }

    /** A decision without statement and portfolio. */
    private static Decision without(DecisionRecord it, List<Violation> violations) {
        return new Decision(violations, null, null, it.decision().checkedAt());
    }

    private void add(RecomputationResult outcome) {
        counts.merge(outcome, 1L, Long::sum);
    }

    // The payload, written again with the recomputed verdict

    /** The difference between a payload and the recomputed one, or null. */
    private static @Nullable String difference(DecisionRecord it, Decision again, Document payload) {
        return difference(it, again, List.of(), List.of(), List.of(), payload);
    }

    /** The difference of a decision with the approvals that it needed and what its limits were compared with, or null. */
    private static @Nullable String difference(
            DecisionRecord it,
            Decision again,
            List<Approval> approvals,
            List<ApprovalCount> approvalCounts,
            List<LimitMeasure> limits,
            Document payload) {
        DecisionRecord redone = new DecisionRecord(
                it.kind(),
                it.batchIndex(),
                it.agentKeyId(),
                it.trade(),
                it.asset(),
                it.rationale(),
                it.held(),
                it.used(),
                DecisionDocument.namesRules(new Stored(payload)) ? again : withoutRuleIds(again),
                approvals,
                approvalCounts,
                limits,
                it.attestation(),
                it.serviceRequestId());
        Map<String, @Nullable Object> members =
                new HashMap<>(DecisionPayload.draft(redone).payload());
        members.put(SALT, payload.get(SALT));
        String expected = CanonicalForm.write(members);
        if (expected.equals(CanonicalForm.write(payload))) {
            return null;
        }
        String recorded = verdict(Boolean.TRUE.equals(payload.get("allowed")), payload.get("reason"));
        String recomputed = verdict(redone.isAllowed(), redone.reason());
        return recorded.equals(recomputed)
                ? member(payload, CanonicalForm.read(expected))
                : "The verdict says " + recorded + "; what follows is " + recomputed + ".";
    }

    /** As rows record it that are older than the ids of standing rules in violations. */
    private static Decision withoutRuleIds(Decision again) {
        return new Decision(
                again.violations().stream().map(it -> it.withRuleId(null)).toList(),
                again.ipsVersion(),
                again.snapshot(),
                again.stale(),
                again.checkedAt());
    }

    private static String verdict(boolean isAllowed, @Nullable Object reason) {
        return (isAllowed ? "allowed (" : "blocked (") + reason + ")";
    }

    private static String member(Document recorded, Document expected) {
        for (Map.Entry<String, @Nullable Object> member : expected.members().entrySet()) {
            String name = member.getKey();
            if (!Objects.equals(member.getValue(), recorded.get(name))) {
                return "The member " + name + " says " + shown(name, recorded) + "; what follows is "
                        + shown(name, expected) + ".";
            }
        }
        return "The payload has members that no decision has.";
    }

    private static String shown(String name, Document document) {
        Map<String, @Nullable Object> one = new HashMap<>();
        one.put(name, document.get(name));
        String text = CanonicalForm.write(one);
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }

    /**
     * Differences between the asset directory of the verifier and the resolved assets of decisions. They are no failure:
     * the directory of the service may have been older or newer. Not thread-safe.
     */
    public static final class AssetNotes {
        /** Notes that are kept; further ones are counted. */
        private static final int MAX_KEPT = 8;

        private final List<Note> kept = new ArrayList<>();
        private long count;

        private AssetNotes() {}

        /**
         * One difference.
         *
         * @param seq the number of the row
         * @param what one sentence
         */
        public record Note(long seq, String what) {}

        /** The first notes. */
        public List<Note> first() {
            return List.copyOf(kept);
        }

        /** The number of notes, including those not kept. */
        public long count() {
            return count;
        }

        void look(long seq, @Nullable ResolvedAsset asset) {
            Entry own = asset == null ? null : AssetDirectory.builtIn().find(asset.symbol());
            if (asset == null
                    || asset.source() == Source.HELD
                    || asset.source() == Source.LISTED
                    || asset.pair() != null) {
                return;
            }
            boolean isKnown = asset.source() == Source.DIRECTORY;
            if (own == null ? isKnown : !isKnown || own.assetType() != asset.assetType()) {
                note(seq, asset, own);
            }
        }

        private void note(long seq, ResolvedAsset asset, @Nullable Entry own) {
            count++;
            if (kept.size() < MAX_KEPT) {
                String recorded = asset.isKnown() ? asset.assetType().wireName() : "unknown";
                String mine = own == null ? "unknown" : own.assetType().wireName();
                kept.add(new Note(
                        seq,
                        asset.symbol() + " is recorded as " + recorded
                                + " by the directory of the service; the directory of " + "this verifier says " + mine
                                + "."));
            }
        }
    }
}
