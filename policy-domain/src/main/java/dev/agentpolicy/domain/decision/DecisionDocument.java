package dev.agentpolicy.domain.decision;

import static dev.agentpolicy.domain.document.Schema.derived;
import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The members of decisions as they are signed and stored, with decimals as text. */
public final class DecisionDocument {
    private static final String RULE_ID = "ruleId";

    /** The members of a snapshot. Its other values are derived from them. */
    public static final Schema<Snapshot> SNAPSHOT = Schema.of(
            row -> Snapshot.ofCrypto(row.next())
                    .tradfi(row.next())
                    .cash(row.next())
                    .peak(row.next())
                    .recordedAt(row.next()),
            required("cryptoValue", Usd.CODEC, Snapshot::crypto),
            required("tradfiValue", Usd.CODEC, Snapshot::tradfi),
            required("cashValue", Usd.CODEC, Snapshot::cash),
            required("peakValue", Usd.CODEC, Snapshot::peak),
            nullable("snapshotDate", Codec.INSTANT, Snapshot::date));

    private static final Schema<StaleCustodian> STALE = Schema.of(
            row -> new StaleCustodian(row.next(), row.next(), row.next()),
            required("custodian", Codec.TEXT, StaleCustodian::custodian),
            required("name", Codec.TEXT, StaleCustodian::name),
            required("lastSyncedAt", Codec.INSTANT, StaleCustodian::lastSyncedAt));

    /** The id of a standing rule is absent in violations of other rules, and in rows from before this member existed. */
    private static final Schema<Violation> VIOLATION = Schema.of(
            row -> {
                Violation read = new Violation(row.next(), row.<String>next(), row.next(), row.next());
                String ruleId = row.next();
                return read.withRuleId(ruleId == null ? oldRuleId(read) : ruleId);
            },
            required("rule", Codec.word(Rule.class), Violation::rule),
            required("message", Codec.TEXT, Violation::message),
            nullable("limit", Codec.DECIMAL, Violation::limit),
            nullable("actual", Codec.DECIMAL, Violation::actual),
            optional(RULE_ID, Codec.TEXT, Violation::ruleId));

    private static final Codec<List<Violation>> VIOLATIONS = Codec.list(VIOLATION);

    /** The members of a decision. */
    public static final Schema<Decision> SCHEMA = Schema.of(
            row -> new Decision(row.next(), row.next(), row.next(), row.next(), row.next()),
            required("violations", VIOLATIONS, Decision::violations),
            nullable("ipsVersion", Codec.INTEGER, Decision::ipsVersion),
            nullable("snapshot", Codec.object(SNAPSHOT), Decision::snapshot),
            optional("stale", Codec.object(STALE), Decision::stale),
            required("checkedAt", Codec.INSTANT, Decision::checkedAt),
            // After those that are read.
            derived("allowed", Codec.TRUTH, Decision::isAllowed),
            derived("reason", Codec.TEXT, Decision::reason));

    private DecisionDocument() {}

    /** Whether the stored violations of a decision name their standing rules, as all rows do that are written now. */
    public static boolean namesRules(Stored stored) {
        return stored.objects("violations", violation -> violation.has(RULE_ID)).contains(true);
    }

    /** Reads the violations of a decision alone. */
    public static List<Violation> violations(Stored stored) {
        return stored.objects("violations", violation -> VIOLATION.readStored(violation.document()));
    }

    /** Reads the id of a standing rule from a message: rows from before {@code ruleId} have it nowhere else. */
    private static @Nullable String oldRuleId(Violation violation) {
        String before = "Standing rule ";
        String after = violation.rule() == Rule.STANDING_RULE_BLOCKED
                ? " blocks this trade"
                : violation.rule() == Rule.STANDING_RULE_REQUIRES_APPROVAL ? " requires the user's approval" : null;
        if (after == null) {
            return null;
        }
        String message = violation.message();
        int end = message.indexOf(after);
        return message.startsWith(before) && end > before.length() ? message.substring(before.length(), end) : null;
    }
}
