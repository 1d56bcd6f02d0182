package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.ScriptedCustodian.Mood;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom.AssetHeadroom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How much an agent is told it may trade. The fixture holds 30 000 USD of BTC, 55 000 of SPY and 15 000 in cash. */
class ReadHeadroomTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void a_headroom_has_the_allowed_amounts_and_the_state_it_was_computed_from() {
        AssetHeadroom headroom = headroom(agent, "buy 0 xbt-usd crypto");

        assertThat(text(headroom.now())).isEqualTo("5000 crypto_max_allocation");
        assertThat(headroom.asked().symbol()).isEqualTo("xbt-usd");
        assertThat(headroom.ipsVersion()).isOne();
        assertThat(headroom.snapshot()).isEqualTo(fixture.portfolio().snapshot().orElseThrow());
        assertThat(headroom.checkedAt()).isEqualTo(SampleValues.NOON);
        assertThat(headroom.ifPendingAccepted()).isEqualTo(headroom.now());
    }

    @Test
    void asking_records_nothing() {
        int rows = fixture.events().size();

        headroom(agent, "buy 0 BTC crypto");
        all(agent);

        assertThat(fixture.events()).hasSize(rows);
        assertThat(fixture.tally(agent).calls()).isZero();
    }

    @Test
    void pending_requests_of_every_key_count_and_those_that_expired_do_not() {
        fixture.queued(agent, "buy 1000 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW.minusHours(1));
        fixture.queued(fixture.agent("{}"), "buy 2000 BTC crypto");
        assertThat(text(headroom(agent, "buy 0 BTC crypto").ifPendingAccepted()))
                .isEqualTo("2000 crypto_max_allocation");

        fixture.clock.advance(Duration.ofHours(1));

        AssetHeadroom headroom = headroom(agent, "buy 0 BTC crypto");
        assertThat(text(headroom.ifPendingAccepted())).isEqualTo("3000 crypto_max_allocation");
        assertThat(text(headroom.now())).isEqualTo("5000 crypto_max_allocation");
    }

    @Test
    void an_accepted_request_that_is_not_filled_counts_as_pending_even_after_its_time() {
        long id = fixture.queued(agent, "buy 1000 BTC crypto");
        fixture.custodian.is(Mood.AWAY);
        UseCaseFixture.given(fixture.attest.accept(USER, id));
        fixture.clock.advance(UseCaseFixture.WINDOW.plusHours(1));

        assertThat(text(headroom(agent, "buy 0 BTC crypto").ifPendingAccepted()))
                .isEqualTo("4000 crypto_max_allocation");
    }

    @Test
    void more_pending_requests_than_one_query_reads_all_count() {
        UseCaseFixture many = UseCaseFixture.furnished();
        Caller first = many.agent("{}");
        for (int i = 0; i < 21; i++) {
            Caller each = many.agent("{}");
            for (int j = 0; j < 24; j++) {
                many.queued(each, "buy 1 BTC crypto");
            }
        }

        assertThat(text(given(many.headroom.of(first, null, SampleValues.sent("buy 0 BTC crypto")))
                        .ifPendingAccepted()))
                .isEqualTo("4496 crypto_max_allocation");
    }

    @Test
    void what_pending_requests_buy_is_held_once_they_are_accepted() {
        fixture.queued(agent, "buy 1000 GROVE crypto");

        AssetHeadroom sell = headroom(agent, "sell 0 GROVE crypto");
        AssetHeadroom asTradfi = headroom(agent, "buy 0 GROVE tradfi");

        assertThat(text(sell.now())).isEqualTo("0 action_not_allowed");
        assertThat(text(sell.ifPendingAccepted())).isEqualTo("1000 action_not_allowed");
        assertThat(text(asTradfi.now())).isEqualTo("10000 cash_floor");
        assertThat(text(asTradfi.ifPendingAccepted())).isEqualTo("- invalid_payload");
    }

    @Test
    void the_caps_of_the_key_count_with_the_call_itself() {
        Caller capped = fixture.agent("{\"dailyCallCap\":2,\"dailyUsdCap\":700,\"aumCapUsd\":900}");

        assertThat(text(headroom(capped, 1L, "buy 0 BTC crypto").now())).isEqualTo("700 agent_aum_cap");
        assertThat(text(headroom(capped, 2L, "buy 0 BTC crypto").now())).isEqualTo("- agent_aum_cap");
    }

    @Test
    void a_wrong_sleeve_leaves_nothing_and_names_no_state() {
        AssetHeadroom headroom = headroom(agent, "buy 0 BTC tradfi");

        assertThat(text(headroom.now())).isEqualTo("- invalid_payload");
        assertThat(headroom.ipsVersion()).isNull();
        assertThat(headroom.snapshot()).isNull();
    }

    @Test
    void an_unknown_asset_is_believed_or_not_as_the_statement_says() {
        assertThat(text(headroom(agent, "buy 0 GROVE crypto").now())).isEqualTo("5000 crypto_max_allocation");

        UseCaseFixture.given(fixture.amendIps.put(USER, SampleValues.ips("{\"unknownAssets\":\"block\"}")));

        assertThat(text(headroom(agent, "buy 0 GROVE crypto").now())).isEqualTo("- asset_authority_monitor");
    }

    @Test
    void without_a_statement_or_holdings_nothing_is_allowed() {
        UseCaseFixture empty = new UseCaseFixture();
        Caller caller = empty.agent("{}");
        assertThat(given(empty.headroom.all(caller, null))).isEmpty();
        assertThat(text(given(empty.headroom.of(caller, null, SampleValues.sent("buy 0 BTC crypto")))
                        .now()))
                .isEqualTo("- no_active_ips");

        UseCaseFixture.given(empty.amendIps.put(USER, SampleValues.plainIps()));

        AssetHeadroom headroom = given(empty.headroom.of(caller, null, SampleValues.sent("buy 0 BTC crypto")));
        assertThat(text(headroom.now())).isEqualTo("- no_portfolio_snapshot");
        assertThat(headroom.ipsVersion()).isOne();
        assertThat(headroom.snapshot()).isNull();
    }

    @Test
    void all_are_the_held_assets_first_and_then_those_the_statement_names() {
        UseCaseFixture.given(fixture.amendIps.put(USER, SampleValues.ips("""
                {"assetAuthority":{"assets":{"DOGE":"monitor","BTC":"protect","GROVE":"full"}},
                 "standingRules":[{"id":"r","effect":"block","when":{"symbols":["AGG","SPY"]}}]}""")));

        assertThat(all(agent))
                .extracting(it -> it.asked().trade().action().wireName() + " "
                        + it.asked().symbol() + " "
                        + it.asked().trade().assetType().wireName() + " "
                        + text(it.now()))
                .containsExactly(
                        "buy BTC crypto 5000 crypto_max_allocation",
                        "sell BTC crypto - asset_authority_protect_sell",
                        "buy SPY tradfi - standing_rule_blocked",
                        "sell SPY tradfi - standing_rule_blocked",
                        "buy AGG tradfi - standing_rule_blocked",
                        "sell AGG tradfi - standing_rule_blocked",
                        "buy DOGE crypto - asset_authority_monitor",
                        "sell DOGE crypto - asset_authority_monitor",
                        "buy GROVE crypto 5000 crypto_max_allocation",
                        "sell GROVE crypto 0 action_not_allowed");
    }

    @Test
    void a_key_that_was_revoked_or_may_not_read_asks_in_vain() {
        Caller blind = fixture.agent("live", "\"validate\"", "{}");
        assertThat(refusal(fixture.headroom.all(blind, null))).isEqualTo(Refusal.forbidden(Scope.READ));

        UseCaseFixture.given(fixture.keys.revoke(USER, agent.key().id()));

        assertThat(refusal(fixture.headroom.of(agent, null, SampleValues.sent("buy 0 BTC crypto"))))
                .isEqualTo(Refusal.unauthorized());
    }

    @Test
    void a_blocked_decision_suggests_the_largest_allowed_amount_if_there_is_one() {
        List<AdvisedDecision> batch = fixture.advised(
                fixture.agent("{\"dailyUsdCap\":3000}"),
                List.of("buy 1000 BTC crypto", "buy 5000.001 BTC crypto", "", "buy 1 BTC tradfi"));

        assertThat(batch).extracting(AdvisedDecision::maxAllowed).containsExactly(null, Usd.of(2000), null, null);
        assertThat(fixture.proposed(agent, "buy 5000.001 BTC crypto", null)
                        .advised()
                        .maxAllowed())
                .isEqualTo(Usd.of(5000));
        fixture.hold(30_000, 69_000, 1_000);
        assertThat(fixture.advised(agent, List.of("buy 1 SPY tradfi")).get(0).maxAllowed())
                .isEqualTo(Usd.ZERO);
        assertThat(fixture.advised(agent, List.of("buy 1 SPY tradfi"))
                        .get(0)
                        .decision()
                        .violations()
                        .get(0)
                        .rule())
                .isEqualTo(Rule.CASH_FLOOR);
    }

    private AssetHeadroom headroom(Caller caller, String trade) {
        return headroom(caller, null, trade);
    }

    private AssetHeadroom headroom(Caller caller, Long callsToday, String trade) {
        return given(fixture.headroom.of(caller, callsToday, SampleValues.sent(trade)));
    }

    private List<AssetHeadroom> all(Caller caller) {
        return given(fixture.headroom.all(caller, null));
    }

    private static <T> T given(Answer<T> answer) {
        return UseCaseFixture.given(CompletableFuture.completedFuture(answer));
    }

    private static <T> Refusal refusal(Answer<T> answer) {
        return UseCaseFixture.refused(CompletableFuture.completedFuture(answer));
    }

    private static String text(Headroom headroom) {
        Usd max = headroom.maxAllowed();
        return (max == null ? "-" : max) + " "
                + (headroom.binding() == null ? "" : headroom.binding().rule().wireName());
    }
}
