package dev.agentpolicy.domain.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.compare.PolicyTest.Member;
import dev.agentpolicy.domain.compare.PolicyTest.Result;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.SampleValues;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyTestsTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final String HELD =
            "{\"cash\":10000,\"positions\":[{\"symbol\":\"BTC\",\"assetType\":\"crypto\",\"quantity\":1,\"price\":20000},"
                    + "{\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":100,\"price\":700}]}";
    private static final String BUY =
            "{\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\",\"amountUsd\":1000}";

    private static Reading<PolicyTests> read(String... tests) {
        return Document.parse("{\"tests\":[" + String.join(",", tests) + "]}").then(PolicyTests::read);
    }

    private static String test(String name, String held, String more, String expect) {
        return "{\"name\":\"" + name + "\",\"portfolio\":" + held + ",\"trade\":" + BUY + more + ",\"expect\":" + expect
                + "}";
    }

    private static Result run(Ips ips, String held, String more, String expect) {
        return read(test("one", held, more, expect))
                .orElseThrow()
                .run(ips, NOW)
                .results()
                .get(0);
    }

    @Test
    void aTestPassesIfTheVerdictTheRulesAndTheLargestAmountAreAsExpected() {
        Ips ips = SampleValues.ips("{\"cashFloor\":0.05}");

        Result passed = run(ips, HELD, "", "{\"allowed\":true,\"rules\":[],\"maxAllowedUsd\":5000}");

        assertThat(passed.unmet()).isEmpty();
        assertThat(passed.maxAllowed()).isEqualTo(Usd.of("5000"));
        assertThat(run(ips, HELD, "", "{\"allowed\":true}").isPassed()).isTrue();
    }

    @Test
    void whatIsNotAsExpectedIsNamed() {
        Ips ips = SampleValues.ips("{\"cashFloor\":0.05}");

        assertThat(run(ips, HELD, "", "{\"allowed\":false,\"rules\":[\"cash_floor\"],\"maxAllowedUsd\":4999.99}")
                        .unmet())
                .containsExactly(Member.ALLOWED, Member.RULES, Member.MAX_ALLOWED_USD);
        Ips strict = SampleValues.ips("{\"cashFloor\":0.095}");
        assertThat(run(strict, HELD, "", "{\"allowed\":false,\"rules\":[\"cash_floor\"]}")
                        .isPassed())
                .isTrue();
        assertThat(run(strict, HELD, "", "{\"allowed\":false,\"rules\":[\"cash_floor\",\"insufficient_cash\"]}")
                        .unmet())
                .containsExactly(Member.RULES);
    }

    @Test
    void whereNothingIsAllowedTheLargestAmountIsNothing() {
        Ips ips = SampleValues.ips("{\"allowedActions\":[\"sell\"]}");

        assertThat(run(ips, HELD, "", "{\"allowed\":false,\"rules\":[\"action_not_allowed\"],\"maxAllowedUsd\":0}")
                        .isPassed())
                .isTrue();
    }

    @Test
    void aPauseAndApprovalsDoNotCount() {
        Ips plain = SampleValues.ips(
                "{\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\",\"when\":{\"actions\":[\"buy\"]}}]}");
        Approval approval = new Approval("ask", null, null, null, null, NOW.plus(Duration.ofDays(1)), null, null);
        String blocked = "{\"allowed\":false,\"rules\":[\"standing_rule_requires_approval\"]}";

        assertThat(run(plain.withPaused(true).withApprovals(List.of(approval)), HELD, "", blocked)
                        .isPassed())
                .isTrue();
    }

    @Test
    void whatAFlowCountedAndTheHighestValueAreGiven() {
        Ips ips = SampleValues.ips(
                "{\"maxDrawdown\":0.25,\"limits\":[{\"id\":\"day\",\"kind\":\"flow\",\"maxUsd\":3000,\"windowMinutes\":1440,"
                        + "\"per\":\"account\"},{\"id\":\"week\",\"kind\":\"loss\",\"max\":0.1,\"windowDays\":7}]}");
        String blocked = "{\"allowed\":false,\"rules\":[\"standing_rule_blocked\"],\"maxAllowedUsd\":%s}";

        Result flow = run(ips, HELD, ",\"used\":{\"ruleId\":\"day\",\"usd\":2500}", blocked.formatted("500"));
        Result other = run(ips, HELD, ",\"used\":{\"ruleId\":\"month\",\"usd\":2500}", "{\"allowed\":true}");
        Result loss = run(
                ips, HELD.replaceFirst("\\{", "{\"peakValue\":120000,\"peakDaysAgo\":3,"), "", blocked.formatted("0"));
        Result before = run(
                ips, HELD.replaceFirst("\\{", "{\"peakValue\":120000,\"peakDaysAgo\":9,"), "", "{\"allowed\":true}");

        assertThat(List.of(flow, other, loss, before)).allMatch(Result::isPassed);
        assertThat(flow.decision().violations()).extracting(Violation::ruleId).containsExactly("day");
    }

    @Test
    void aTestHasATimeOfItsOwn() {
        Ips ips = SampleValues.ips("{\"standingRules\":[{\"id\":\"night\",\"effect\":\"block\",\"when\":{\"hours\":"
                + "{\"start\":22,\"end\":6,\"tz\":\"Europe/Berlin\"}}}]}");

        assertThat(run(ips, HELD, ",\"at\":\"2026-11-21T23:30:00+01:00\"", "{\"allowed\":false}")
                        .isPassed())
                .isTrue();
        assertThat(run(ips, HELD, "", "{\"allowed\":true}").isPassed()).isTrue();
    }

    @Test
    void spellingsOfAnAssetAreTheAsset() {
        Ips ips = SampleValues.ips("{\"assetAuthority\":{\"default\":\"full\",\"assets\":{\"BTC\":\"monitor\"}}}");

        Result result =
                run(ips, HELD.replace("BTC", "XBT"), "", "{\"allowed\":false,\"rules\":[\"asset_authority_monitor\"]}");

        assertThat(result.isPassed()).isTrue();
    }

    @Test
    void testsThatContradictThemselvesAreRefused() {
        String ok = "{\"allowed\":true}";
        assertThat(messages(read(test("a", HELD, "", ok), test("a", HELD, "", ok))))
                .containsExactly("tests must not have one name twice.");
        assertThat(messages(read(test("a", HELD, "", "{\"allowed\":true,\"rules\":[\"cash_floor\"]}"))))
                .containsExactly("tests[0].expect.rules must be empty for a trade that is allowed.");
        assertThat(messages(read(test("a", HELD, "", "{\"allowed\":false,\"rules\":[]}"))))
                .containsExactly("tests[0].expect.rules must not be empty.");
        assertThat(messages(read(test("a", HELD.replaceFirst("\\{", "{\"peakValue\":99999,"), "", ok))))
                .containsExactly("tests[0].portfolio.peakValue must not be below the value of the portfolio.");
        assertThat(messages(read(test("a", HELD.replaceFirst("\\{", "{\"peakDaysAgo\":1,"), "", ok))))
                .containsExactly("tests[0].portfolio.peakDaysAgo needs peakValue.");
        assertThat(messages(read(test("a", HELD.replace("SPY", "XBT"), "", ok))))
                .containsExactly("tests[0].portfolio.positions must not have one asset twice or in two sleeves.");
        assertThat(messages(read(test("a", HELD, ",\"more\":1", ok))))
                .containsExactly("tests[0].more is not a known field.");
    }

    private static List<String> messages(Reading<PolicyTests> read) {
        return read.problems().stream().map(Problem::message).toList();
    }
}
