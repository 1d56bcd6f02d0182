package dev.agentpolicy.domain.event.recompute;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.ips.Approval;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the payload of a decision again, with a recomputed verdict, and compares every member. */
final class PayloadDiff {
    private static final String SALT = "salt";
    private static final int MAX_SHOWN = 200;

    private PayloadDiff() {}

    /** The difference between a payload and the recomputed one, or null. */
    static @Nullable String difference(DecisionRecord it, Decision again, Document payload) {
        return difference(it, again, List.of(), payload);
    }

    /** The difference of a decision with the approvals that it needed, or null. */
    static @Nullable String difference(DecisionRecord it, Decision again, List<Approval> approvals, Document payload) {
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
}
