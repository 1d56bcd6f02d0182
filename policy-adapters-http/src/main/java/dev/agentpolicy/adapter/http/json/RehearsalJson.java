package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.compare.PolicyTest;
import dev.agentpolicy.domain.compare.PolicyTest.Expectation;
import dev.agentpolicy.domain.compare.PolicyTest.Result;
import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.ips.ShadowIps;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.usecase.policy.RehearseIps.Rehearsed;
import dev.agentpolicy.domain.usecase.policy.ReplayIps.Replay;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the tests of policies and what came of them (docs/reference/policy-tests.md). */
public final class RehearsalJson {
    private RehearsalJson() {}

    /** Writes tests as they can be sent back. */
    public static void write(JsonWriter out, PolicyTests tests) {
        out.array("tests", tests.tests(), RehearsalJson::test);
    }

    private static void test(JsonWriter out, PolicyTest test) {
        out.text("name", test.name())
                .object(
                        "portfolio",
                        test.held(),
                        (each, held) -> ComparisonJson.portfolio(
                                each, held.cash(), held.positions(), held.peak(), held.peakDaysAgo()))
                .presentObject(
                        "used",
                        test.used(),
                        (each, used) -> ComparisonJson.used(each, used.ruleId(), used.usd(), used.trades()))
                .object("trade", test.trade(), DecisionJson::write)
                .present("at", test.at(), JsonWriter::instant)
                .object("expect", test.expected(), RehearsalJson::expectation);
    }

    private static void expectation(JsonWriter out, Expectation expected) {
        out.truth("allowed", expected.isAllowed());
        if (expected.rules() != null) {
            out.texts("rules", expected.rules().stream().sorted().toList(), Rule::wireName);
        }
        out.present("maxAllowedUsd", expected.maxAllowed(), JsonWriter::number);
    }

    /**
     * Writes a run.
     *
     * @param basedOn the version in force; null when there is none
     */
    public static void write(JsonWriter out, PolicyTests.Run run, @Nullable Integer basedOn) {
        int failed = run.failures().size();
        out.integer("passed", run.results().size() - failed)
                .integer("failed", failed)
                .integer("basedOn", basedOn);
        results(out, run.results());
    }

    /** Writes a replay (docs/reference/replay.md). */
    public static void write(JsonWriter out, Replay replay) {
        out.integer("count", replay.count())
                .integer("same", replay.same())
                .integer("newlyBlocked", replay.newlyBlocked())
                .integer("newlyAllowed", replay.newlyAllowed())
                .integer("notReplayable", replay.notReplayable())
                .array(
                        "byRule",
                        replay.byRule().entrySet(),
                        (each, rule) -> each.text("rule", rule.getKey().wireName())
                                .integer("newlyBlocked", rule.getValue().newlyBlocked())
                                .integer("newlyAllowed", rule.getValue().newlyAllowed()))
                .instant("firstDifferentAt", replay.firstDifferentAt())
                .instant("oldestAt", replay.oldestAt())
                .rawItems("pendingAffected", replay.pendingAffected().stream().map(String::valueOf))
                .integer("basedOn", replay.basedOn())
                .truth("atLeast", replay.isAtLeast())
                .array("results", replay.newest(), DecisionJson::preview);
    }

    /** Writes a shadow and what it would have done since it was set (docs/reference/shadow.md). */
    public static void write(JsonWriter out, Rehearsed rehearsed) {
        write(out, rehearsed.shadow());
        write(out, rehearsed.replay());
    }

    /** Writes a shadow: when it was set, and the policy as it was sent. */
    public static void write(JsonWriter out, ShadowIps shadow) {
        out.instant("since", shadow.since())
                .object(
                        "document",
                        shadow.statement(),
                        (nested, ips) -> IpsJson.document(nested, ips, shadow.keepsApprovals()));
    }

    /** Writes what came of some tests. */
    public static void results(JsonWriter out, List<Result> results) {
        out.array("results", results, RehearsalJson::result);
    }

    private static void result(JsonWriter out, Result result) {
        out.text("name", result.test().name())
                .truth("passed", result.isPassed())
                .texts("unmet", result.unmet(), PolicyTest.Member::wireName)
                .object("expect", result.test().expected(), RehearsalJson::expectation)
                .object("decision", result.decision(), DecisionJson::verdict)
                .number("maxAllowedUsd", result.maxAllowed());
    }
}
