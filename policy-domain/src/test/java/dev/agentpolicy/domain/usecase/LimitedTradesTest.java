package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.FlowCounts.FlowAmount;
import dev.agentpolicy.domain.agent.FlowCounts.LimitStanding;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.PreviewIps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits of positions, flows and losses, from the proposal to the acceptance. */
class LimitedTradesTest {
    /** No band, floor or limit of its own, so that a test sees the limits alone. */
    private static final String OPEN = """
            "crypto":{"min":0,"target":0,"max":1},"tradfi":{"min":0,"target":0,"max":1},"cashFloor":0,"maxDrawdown":1,
            "maxSlippage":1,"standingRules":[],"assetAuthority":{"default":"full"}""";

    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final Caller other = fixture.agent("{}");

    /** Whatever a test did, the chain alone explains every verdict and every number. */
    @AfterEach
    void every_verdict_follows_from_the_chain() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @Test
    void a_flow_counts_what_was_proposed_and_allowed_in_its_window() {
        policy("{\"id\":\"day\",\"kind\":\"flow\",\"windowMinutes\":1440,\"maxUsd\":5000}");
        fixture.queued(agent, "buy 3000 BTC crypto");
        fixture.validated(agent, "buy 2000 BTC crypto");

        assertThat(messages(other, "sell 2000.01 BTC crypto"))
                .containsExactly("5,000.01 USD would be proposed within 1440 minutes; limit day allows 5,000 USD.");
        assertThat(messages(other, "sell 2000 BTC crypto")).isEmpty();
        fixture.clock.advance(Duration.ofMinutes(1440));
        assertThat(messages(agent, "buy 5000 BTC crypto")).isNotEmpty();
        fixture.clock.advance(Duration.ofMinutes(1));
        assertThat(messages(agent, "buy 5000 BTC crypto")).isEmpty();
    }

    @Test
    void the_same_asset_is_not_proposed_twice_in_ten_minutes_whatever_it_is_called() {
        policy("{\"id\":\"dup\",\"kind\":\"flow\",\"windowMinutes\":10,\"maxTrades\":1,\"per\":\"asset\"}");
        fixture.queued(agent, "buy 10 BTC crypto");

        Violation violation = violations(other, "sell 10 BTC-USD crypto").get(0);

        assertThat(violation.message()).isEqualTo("2 trades would be proposed within 10 minutes; limit dup allows 1.");
        assertThat(violation.ruleId()).isEqualTo("dup");
        assertThat(violation.retryAt()).isEqualTo(Instant.parse("2026-11-21T12:11:00Z"));
        assertThat(messages(agent, "buy 10 ETH crypto")).isEmpty();
    }

    @Test
    void what_was_rejected_or_expired_is_not_given_back_and_a_replay_counts_nothing() {
        policy("{\"id\":\"n\",\"kind\":\"flow\",\"windowMinutes\":43200,\"maxTrades\":3}");
        long first = fixture.proposed(agent, "buy 10 BTC crypto", "once").requestId();
        fixture.proposed(agent, "buy 10 BTC crypto", "once");
        given(fixture.attest.reject(USER, first, null));
        fixture.queued(agent, "buy 10 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW);
        fixture.expire.sweep();

        fixture.queued(agent, "buy 10 BTC crypto");

        assertThat(messages(agent, "buy 10 BTC crypto"))
                .containsExactly("4 trades would be proposed within 43200 minutes; limit n allows 3.");
    }

    @Test
    void allowed_items_of_a_batch_count_for_those_after_them_and_for_nothing_else() {
        policy("{\"id\":\"day\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxUsd\":100}");

        List<Decision> items = fixture.validated(
                agent, List.of("buy 60 BTC crypto", "buy 50 BTC crypto", "", "buy 40 BTC crypto", "buy 1 BTC crypto"));

        assertThat(items.stream().map(Decision::isAllowed)).containsExactly(true, false, false, true, false);
        assertThat(messages(agent, "buy 100 BTC crypto")).isEmpty();
    }

    @Test
    void a_form_counts_from_the_version_in_which_it_appeared_and_keeps_its_counts_while_it_stays() {
        fixture.queued(agent, "buy 10 BTC crypto");
        policy("{\"id\":\"a\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":2}");
        fixture.queued(agent, "buy 10 BTC crypto");
        policy("{\"id\":\"b\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":1}");
        assertThat(messages(agent, "buy 10 BTC crypto"))
                .containsExactly("2 trades would be proposed within 60 minutes; limit b allows 1.");

        policy("{\"id\":\"b\",\"kind\":\"flow\",\"windowMinutes\":61,\"maxTrades\":1}");
        assertThat(messages(agent, "buy 10 BTC crypto")).isEmpty();
        policy("{\"id\":\"a\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":1}");
        assertThat(messages(agent, "buy 10 BTC crypto")).isEmpty();
    }

    @Test
    void a_position_counts_orders_and_leaves_headroom_to_the_cent() {
        policy("{\"id\":\"btc-max\",\"kind\":\"position\",\"max\":0.35,\"scope\":{\"symbols\":[\"XBT\"]},"
                + "\"reason\":\"Enough\"}");

        assertThat(messages(agent, "buy 5000.01 BTC crypto"))
                .containsExactly("BTC would be just above 35% of the portfolio; limit btc-max allows 35%. Enough.");
        assertThat(messages(agent, "buy 6200 BTC crypto"))
                .containsExactly("BTC would be 36.2% of the portfolio; limit btc-max allows 35%. Enough.");
        assertThat(messages(agent, "sell 5000.01 BTC crypto")).isEmpty();
        assertThat(messages(agent, "buy 15000 ETH crypto")).isEmpty();
        assertThat(headroom("buy 1 BTC crypto").maxAllowed()).isEqualTo(Usd.of(5000));
        assertThat(headroom("buy 1 BTC crypto").binding().ruleId()).isEqualTo("btc-max");
        AdvisedDecision advised =
                fixture.advised(agent, List.of("buy 6000 BTC crypto")).get(0);
        assertThat(advised.maxAllowed()).isEqualTo(Usd.of(5000));

        fixture.queued(agent, "buy 3000 BTC crypto");
        assertThat(headroom("buy 1 BTC crypto").maxAllowed()).isEqualTo(Usd.of(5000));
        assertThat(given(fixture.headroom.of(agent, null, SampleValues.sent("buy 1 BTC crypto")))
                        .ifPendingAccepted()
                        .maxAllowed())
                .isEqualTo(Usd.of(2000));
    }

    @Test
    void positions_are_of_several_assets_together_or_of_each_alone() {
        policy(
                "{\"id\":\"memes\",\"kind\":\"position\",\"max\":0.05,\"scope\":{\"symbols\":[\"DOGE\",\"SHIB\"]}}",
                "{\"id\":\"each\",\"kind\":\"position\",\"max\":0.04,\"perAsset\":true,\"effect\":\"require_approval\"}");
        given(fixture.attest.accept(USER, fixture.queued(agent, "buy 3000 DOGE crypto")));

        assertThat(messages(agent, "buy 3100 SHIB crypto"))
                .containsExactly("The assets of limit memes would be 6.1% of the portfolio; it allows 5%.");
        assertThat(messages(agent, "buy 1500 DOGE crypto"))
                .containsExactly("DOGE would be 4.5% of the portfolio; limit each asks above 4%.");
        assertThat(messages(agent, "buy 4200 GROVE tradfi"))
                .containsExactly("GROVE would be 4.2% of the portfolio; limit each asks above 4%.");
    }

    @Test
    void an_approval_lets_pass_what_a_limit_asks_for() {
        policy(
                "{\"id\":\"each\",\"kind\":\"position\",\"max\":0.04,\"perAsset\":true,\"effect\":\"require_approval\"}");
        approve("\"ruleId\":\"each\",\"symbol\":\"GROVE\",\"maxAmountUsd\":6000");

        assertThat(messages(agent, "buy 6000 GROVE tradfi")).isEmpty();
        assertThat(messages(agent, "buy 6000.01 GROVE tradfi")).hasSize(1);
        assertThat(headroom("buy 1 GROVE tradfi").maxAllowed()).isEqualTo(Usd.of(6000));
        Document last = last();
        assertThat(last.get("approvals")).isNull();
        fixture.queued(agent, "buy 5000 GROVE tradfi");
        assertThat((List<?>) last().get("approvals")).hasSize(1);
    }

    @Test
    void a_loss_stops_buying_until_midnight() {
        policy("{\"id\":\"day-loss\",\"kind\":\"loss\",\"windowDays\":1,\"max\":0.05}");
        fixture.hold(25_000, 55_000, 15_000);
        assertThat(messages(agent, "buy 100 SPY tradfi")).isEmpty();
        fixture.hold(24_990, 55_000, 15_000);

        assertThat(messages(agent, "buy 100 SPY tradfi"))
                .containsExactly(
                        "The portfolio would be 5.01% below its highest value of 1 day; limit day-loss allows 5%.");
        assertThat(messages(agent, "sell 100 SPY tradfi")).isEmpty();
        fixture.clock.advance(Duration.ofHours(12).minusNanos(1000));
        assertThat(messages(agent, "buy 100 SPY tradfi")).hasSize(1);
        fixture.clock.advance(Duration.ofNanos(1000));
        assertThat(messages(agent, "buy 100 SPY tradfi")).isEmpty();
    }

    @Test
    void the_highest_value_of_two_days_is_scaled_by_deposits_and_cut_by_a_new_peak() {
        policy("{\"id\":\"l\",\"kind\":\"loss\",\"windowDays\":2,\"max\":0.05}");
        fixture.hold(20_000, 55_000, 15_000);
        fixture.clock.advance(Duration.ofDays(1));
        assertThat(messages(agent, "buy 100 SPY tradfi"))
                .containsExactly("The portfolio would be 10% below its highest value of 2 days; limit l allows 5%.");

        fixture.holdElsewhere("other", 90_000);
        assertThat(messages(agent, "buy 100 SPY tradfi"))
                .containsExactly("The portfolio would be 10% below its highest value of 2 days; limit l allows 5%.");
        fixture.clock.advance(Duration.ofDays(1));
        assertThat(messages(agent, "buy 100 SPY tradfi")).isEmpty();
    }

    @Test
    void an_acceptance_checks_positions_and_losses_again_and_flows_not() {
        policy(
                "{\"id\":\"n\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":2}",
                "{\"id\":\"btc\",\"kind\":\"position\",\"max\":0.35,\"scope\":{\"symbols\":[\"BTC\"]}}");
        long first = fixture.queued(agent, "buy 3000 BTC crypto");
        long second = fixture.queued(agent, "buy 3000 BTC crypto");
        given(fixture.attest.accept(USER, first));

        assertThat(refused(fixture.attest.accept(USER, second)).violations())
                .extracting(Violation::message)
                .containsExactly("BTC would be 36% of the portfolio; limit btc allows 35%.");
        assertThat(fixture.review.find(USER, second).orElseThrow().now().violations())
                .hasSize(1);
        assertThat(last().get("limits").toString()).contains("btc").doesNotContain("usd");
    }

    @Test
    void the_signed_decision_says_what_each_limit_was_compared_with() {
        policy(
                "{\"id\":\"n\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":9}",
                "{\"id\":\"btc\",\"kind\":\"position\",\"max\":0.35,\"scope\":{\"symbols\":[\"BTC\"]}}",
                "{\"id\":\"eth\",\"kind\":\"position\",\"max\":0.35,\"scope\":{\"symbols\":[\"ETH\"]}}",
                "{\"id\":\"l\",\"kind\":\"loss\",\"windowDays\":7,\"max\":0.5}");
        fixture.queued(agent, "buy 30.5 BTC crypto");
        fixture.validated(agent, "buy 1 BTC crypto");

        assertThat(CanonicalForm.write(Map.of("limits", last().get("limits"))))
                .isEqualTo(
                        "{\"limits\":[{\"id\":\"n\",\"trades\":1,\"usd\":\"30.5\"},{\"heldUsd\":\"30000\",\"id\":\"btc\"},"
                                + "{\"id\":\"l\",\"peak\":\"100000\"}]}");
    }

    @Test
    void a_decision_without_limits_has_no_such_member() {
        fixture.validated(agent, "buy 1 ETH crypto");

        assertThat(last().members()).doesNotContainKey("limits");
    }

    @Test
    void the_mandate_says_how_limits_stand_for_its_key() {
        policy(
                "{\"id\":\"day\",\"kind\":\"flow\",\"windowMinutes\":1440,\"maxUsd\":5000}",
                "{\"id\":\"own\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":3,\"per\":\"agent\"}",
                "{\"id\":\"dup\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":3,\"per\":\"asset\"}",
                "{\"id\":\"l\",\"kind\":\"loss\",\"windowDays\":7,\"max\":0.5}");
        fixture.queued(other, "buy 3000 ETH crypto");
        fixture.queued(agent, "buy 1000 ETH crypto");

        List<LimitStanding> standing = given(
                        new ReadState(fixture.store, fixture.store.dailyCalls(), fixture.clock).mandate(agent, null))
                .limits();

        assertThat(standing)
                .extracting(LimitStanding::used)
                .containsExactly(new FlowAmount(Usd.of(4000), 2L), new FlowAmount(Usd.of(1000), 1L), null, null);
        assertThat(standing)
                .extracting(LimitStanding::left)
                .containsExactly(new FlowAmount(Usd.of(1000), null), new FlowAmount(null, 2L), null, null);
        assertThat(standing)
                .extracting(LimitStanding::freesAt)
                .containsExactly(
                        Instant.parse("2026-11-22T12:01:00Z"), Instant.parse("2026-11-21T13:01:00Z"), null, null);
    }

    @Test
    void a_key_without_read_is_told_of_flows_and_not_of_what_is_held() {
        policy(
                "{\"id\":\"btc\",\"kind\":\"position\",\"max\":0.1,\"scope\":{\"symbols\":[\"BTC\"]}}",
                "{\"id\":\"day\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxUsd\":5}");
        Caller blind = fixture.agent("live", "\"validate\"", "{}");

        List<Violation> told =
                fixture.validated(blind, "buy 6 BTC crypto").value().violations();

        assertThat(told)
                .extracting(Violation::message)
                .containsExactly(
                        "Stopped by standing_rule_blocked.",
                        "6 USD would be proposed within 60 minutes; limit day allows 5 USD.");
        assertThat(told).extracting(Violation::ruleId).containsExactly("btc", "day");
        assertThat(told.get(0).actual()).isNull();
        assertThat(told.get(1).isTimed()).isTrue();
    }

    @Test
    void a_preview_counts_the_proposals_that_were_allowed_and_leaves_out_what_no_row_recorded() {
        policy();
        fixture.queued(agent, "buy 10 BTC crypto");
        fixture.clock.advance(Duration.ofMinutes(1));
        fixture.queued(agent, "buy 20 ETH crypto");

        assertThat(previewed("{\"id\":\"f\",\"kind\":\"flow\",\"windowMinutes\":60,\"maxTrades\":1}"))
                .containsExactly(false, true);
        assertThat(previewed("{\"id\":\"p\",\"kind\":\"position\",\"max\":0.1,\"perAsset\":true}"))
                .containsExactly(true, false);
        assertThat(previewed("{\"id\":\"l\",\"kind\":\"loss\",\"windowDays\":1,\"max\":0.1}"))
                .isEmpty();
    }

    private List<Boolean> previewed(String limit) {
        Ips draft = SampleValues.ips("{" + OPEN + ",\"limits\":[" + limit + "]}");
        return given(new PreviewIps(fixture.audit, fixture.store).preview(USER, Amendment.of(draft))).stream()
                .map(line -> line.preview().isAllowed())
                .toList();
    }

    private void policy(String... limits) {
        given(fixture.amendIps.put(
                USER, Amendment.of(SampleValues.ips("{" + OPEN + ",\"limits\":[" + String.join(",", limits) + "]}"))));
    }

    private void approve(String members) {
        String sent = "{" + members + ",\"until\":\"2026-12-01T00:00:00Z\"}";
        given(fixture.amendIps.approve(
                USER,
                Approval.SCHEMA
                        .read(JsonSamples.object(sent), dev.agentpolicy.domain.document.Decimals.NUMBERS)
                        .orElseThrow()));
    }

    private Headroom headroom(String trade) {
        return given(fixture.headroom.of(agent, null, SampleValues.sent(trade))).now();
    }

    private List<Violation> violations(Caller caller, String trade) {
        return fixture.validated(caller, trade).value().violations();
    }

    private List<String> messages(Caller caller, String trade) {
        return violations(caller, trade).stream().map(Violation::message).toList();
    }

    private Document last() {
        List<Document> decisions = fixture.payloads(EventKind.GUARDRAIL_DECISION);
        return decisions.get(decisions.size() - 1);
    }
}
