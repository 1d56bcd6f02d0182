package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.compare.PolicyChange;
import dev.agentpolicy.domain.compare.PolicyComparison;
import dev.agentpolicy.domain.compare.PolicyFinding;
import dev.agentpolicy.domain.compare.TradeWitness;
import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes comparisons of policies (docs/reference/compare.md). */
public final class ComparisonJson {
    private ComparisonJson() {}

    /** Writes the relation, what it is based on, changes, witnesses and findings. */
    public static void write(JsonWriter out, PolicyComparison comparison, @Nullable Integer basedOn) {
        out.text("relation", comparison.relation().wireName())
                .integer("basedOn", basedOn)
                .array("changes", comparison.changes(), ComparisonJson::change)
                .array("witnesses", comparison.witnesses(), ComparisonJson::witness)
                .array("findings", comparison.findings(), ComparisonJson::finding);
    }

    private static void change(JsonWriter out, PolicyChange change) {
        out.text("path", change.path()).text("relation", change.relation().wireName());
        value(out, "from", change.from());
        value(out, "to", change.to());
    }

    /** Writes the value of a member of a policy. */
    private static void value(JsonWriter out, String name, @Nullable Object value) {
        if (value instanceof Fraction fraction) {
            out.number(name, fraction);
        } else if (value instanceof Word word) {
            out.text(name, word.wireName());
        } else if (value instanceof Boolean truth) {
            out.truth(name, truth);
        } else if (value instanceof Integer number) {
            out.integer(name, number);
        } else if (value instanceof StandingRule rule) {
            out.object(name, rule, IpsJson::rule);
        } else if (value instanceof Limit limit) {
            out.object(name, limit, IpsJson::limit);
        } else if (value instanceof List<?> approvals) {
            out.array(name, approvals, (each, approval) -> IpsJson.approval(each, (Approval) approval));
        } else if (value instanceof Collection<?> words) {
            out.texts(
                    name,
                    words.stream()
                            .map(word -> ((Word) word).wireName())
                            .sorted()
                            .toList(),
                    text -> text);
        } else {
            out.nothing(name);
        }
    }

    private static void witness(JsonWriter out, TradeWitness witness) {
        Situation it = witness.situation();
        out.text("shows", witness.shows().wireName())
                .object(
                        "portfolio",
                        it,
                        (each, held) -> portfolio(each, held.cash(), held.positions(), held.peak(), held.peakDaysAgo()))
                .presentObject("used", it.used(), (used, flow) -> used(used, flow.limitId(), flow.usd(), flow.trades()))
                .present("agentKeyId", it.agentKeyId(), JsonWriter::id)
                .object("trade", it.trade(), DecisionJson::write)
                .instant("at", it.at())
                .object("before", witness.before(), ComparisonJson::decision)
                .object("after", witness.after(), ComparisonJson::decision);
    }

    /** Writes what is held; the days only with a peak. */
    static void portfolio(
            JsonWriter out, Usd cash, List<Position> positions, @Nullable Usd peak, @Nullable Integer peakDaysAgo) {
        out.number("cash", cash)
                .array(
                        "positions",
                        positions,
                        (each, position) -> each.text(
                                        "symbol", position.symbol().value())
                                .text("assetType", position.assetType().wireName())
                                .number("quantity", position.quantity())
                                .number("price", position.price()));
        out.present("peakValue", peak, JsonWriter::number)
                .present("peakDaysAgo", peak == null ? null : peakDaysAgo, JsonWriter::integer);
    }

    /** Writes what a flow limit had counted. */
    static void used(JsonWriter out, String limit, Usd usd, long trades) {
        out.text("ruleId", limit).number("usd", usd).integer("trades", trades);
    }

    private static void decision(JsonWriter out, Decision decision) {
        DecisionJson.verdict(out, decision);
    }

    private static void finding(JsonWriter out, PolicyFinding finding) {
        boolean isAction = finding.kind() == PolicyFinding.Kind.VACUOUS;
        out.text("kind", finding.kind().wireName()).text(isAction ? "action" : "ruleId", finding.about());
    }
}
