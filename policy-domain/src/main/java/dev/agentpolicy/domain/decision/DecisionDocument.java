package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads decisions as they are signed and stored, with decimals as text. */
public final class DecisionDocument {

    private static final String RULE_ID = "ruleId";

    private DecisionDocument() {}

    /** The members of a decision. */
    public static Map<String, @Nullable Object> toSigned(Decision decision) {
        Snapshot snapshot = decision.snapshot();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("allowed", decision.isAllowed());
        members.put("reason", decision.reason());
        members.put("violations", violations(decision.violations()));
        members.put("ipsVersion", decision.ipsVersion());
        members.put("snapshot", snapshot == null ? null : snapshot(snapshot));
        members.put("checkedAt", Instants.format(decision.checkedAt()));
        StaleCustodian stale = decision.stale();
        if (stale != null) {
            members.put("stale", stale(stale));
        }
        return members;
    }

    /** The members of a custodian that was not heard of for too long. */
    public static Map<String, @Nullable Object> stale(StaleCustodian stale) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("custodian", stale.custodian());
        members.put("name", stale.name());
        members.put("lastSyncedAt", Instants.format(stale.lastSyncedAt()));
        return members;
    }

    private static StaleCustodian readStale(Stored stored) {
        return new StaleCustodian(stored.text("custodian"), stored.text("name"), stored.instant("lastSyncedAt"));
    }

    /** Reads what {@link #toSigned} wrote. */
    public static Decision read(Stored stored) {
        return new Decision(
                violations(stored),
                stored.integerOrNull("ipsVersion"),
                stored.objectOrNull("snapshot", DecisionDocument::readSnapshot),
                stored.objectOrNull("stale", DecisionDocument::readStale),
                stored.instant("checkedAt"));
    }

    /** Whether the stored violations of a decision name their standing rules, as all rows do that are written now. */
    public static boolean namesRules(Stored stored) {
        return stored.objects("violations", violation -> violation.has(RULE_ID)).contains(true);
    }

    /** Reads the violations of a decision alone. */
    public static List<Violation> violations(Stored stored) {
        return stored.objects("violations", DecisionDocument::readViolation);
    }

    /** The members of a snapshot. Its other values are derived from them. */
    public static Map<String, @Nullable Object> snapshot(Snapshot snapshot) {
        Instant date = snapshot.date();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("cryptoValue", text(snapshot.crypto()));
        members.put("tradfiValue", text(snapshot.tradfi()));
        members.put("cashValue", text(snapshot.cash()));
        members.put("peakValue", text(snapshot.peak()));
        members.put("snapshotDate", date == null ? null : Instants.format(date));
        return members;
    }

    private static Snapshot readSnapshot(Stored stored) {
        return Snapshot.ofCrypto(new Usd(stored.decimal("cryptoValue")))
                .tradfi(new Usd(stored.decimal("tradfiValue")))
                .cash(new Usd(stored.decimal("cashValue")))
                .peak(new Usd(stored.decimal("peakValue")))
                .recordedAt(stored.instantOrNull("snapshotDate"));
    }

    private static List<Map<String, @Nullable Object>> violations(List<Violation> violations) {
        List<Map<String, @Nullable Object>> items = new ArrayList<>(violations.size());
        for (Violation violation : violations) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put("rule", violation.rule().wireName());
            members.put("message", violation.message());
            members.put("limit", text(violation.limit()));
            members.put("actual", text(violation.actual()));
            String ruleId = violation.ruleId();
            if (ruleId != null) {
                // Absent in violations of other rules, as in rows from before this member existed.
                members.put(RULE_ID, ruleId);
            }
            items.add(members);
        }
        return items;
    }

    private static Violation readViolation(Stored stored) {
        Violation violation = new Violation(
                stored.word("rule", Rule.class),
                stored.text("message"),
                stored.decimalOrNull("limit"),
                stored.decimalOrNull("actual"));
        return violation.withRuleId(stored.has(RULE_ID) ? stored.text(RULE_ID) : OldStandingRuleIds.of(violation));
    }

    private static String text(Usd amount) {
        return Decimals.text(amount.value());
    }

    private static @Nullable String text(@Nullable BigDecimal number) {
        return number == null ? null : Decimals.text(number);
    }
}
