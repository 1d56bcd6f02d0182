package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.sample.SampleValues.violations;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.PreviewIps;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents cannot bypass the policy by declaring a wrong symbol or sleeve (docs/reference/rules.md, Asset identity). */
class MisdeclaredAssetTest {
    private static final String DOGE_WATCHED = "{\"assetAuthority\":{\"assets\":{\"DOGE\":\"monitor\"}}}";
    private static final String BLOCKED = "{\"unknownAssets\":\"block\"}";

    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @AfterEach
    void every_decision_can_be_recomputed_from_the_chain_alone() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
        assertThat(recomputation.assetNotes().first()).isEmpty();
    }

    @Test
    void btc_at_its_crypto_maximum_cannot_be_bought_as_tradfi() {
        fixture.hold(35_000, 50_000, 15_000);

        Decision decision = fixture.validated(agent, "buy 5000 BTC tradfi").value();

        assertThat(decision.reason()).isEqualTo("1 violation: invalid_payload");
        assertThat(decision.violations().get(0).message()).isEqualTo("BTC is a crypto asset; the call says tradfi.");
        assertThat(decision.ipsVersion()).isNull();
        assertThat(decision.snapshot()).isNull();
        Document payload = last();
        assertThat(payload.get("heldUsd")).isNull();
        assertThat(asset(payload)).isEqualTo("BTC BTC crypto held");
        assertThat(((Document) payload.get("trade")).get("assetType")).isEqualTo("tradfi");
        assertThat(fixture.tally(agent).calls()).isEqualTo(1);
    }

    @Test
    void a_proposal_with_the_wrong_sleeve_creates_no_request() {
        Proposed proposed = fixture.proposed(agent, "buy 100 BTC tradfi", "once");

        assertThat(proposed.requestId()).isNull();
        assertThat(violations(proposed.decision())).isEqualTo("invalid_payload");
        assertThat(fixture.store.requestQueue().page(USER, null, null, 10)).isEmpty();
        assertThat(fixture.proposed(agent, "buy 100 BTC crypto", "once").isReplay())
                .isFalse();
    }

    @Test
    void a_key_limited_to_tradfi_cannot_buy_btc() {
        Caller limited = fixture.agent("{\"allowedAssetTypes\":[\"tradfi\"]}");

        assertThat(violations(fixture.validated(limited, "buy 100 BTC tradfi").value()))
                .isEqualTo("invalid_payload");
        assertThat(violations(fixture.validated(limited, "buy 100 BTC crypto").value()))
                .isEqualTo("asset_authority_monitor");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DOGE",
                "doge",
                "DOGE-USD",
                "DOGE/USD",
                "DOGE_USD",
                "DOGE.USD",
                "DOGE.",
                "DOGE-",
                "XDG",
                "xdg-usd",
                "DOGEUSD",
                "DOGEUSDT",
                "DOGE-USDC",
                "DOGECOIN",
                "DOGE-USD-USD"
            })
    void an_asset_at_monitor_cannot_be_bought_by_another_spelling(String spelling) {
        amend(DOGE_WATCHED);

        Decision decision =
                fixture.validated(agent, "buy 100 " + spelling + " crypto").value();

        assertThat(violations(decision)).isEqualTo("asset_authority_monitor");
        assertThat(decision.violations().get(0).message())
                .isEqualTo("DOGE may only be watched: its authority level is monitor.");
        assertThat(asset(last())).isEqualTo("DOGE " + spelling + " crypto directory");
        assertThat(((Document) last().get("trade")).get("assetSymbol")).isEqualTo("DOGE");
    }

    @Test
    void batches_and_proposals_detect_misdeclared_assets_too() {
        amend(DOGE_WATCHED);

        assertThat(fixture.validated(agent, List.of("buy 1 DOGE. crypto", "buy 1 BTC tradfi", "buy 1 BTC/USD crypto")))
                .extracting(SampleValues::violations)
                .containsExactly("asset_authority_monitor", "invalid_payload", "-");
        assertThat(violations(fixture.proposed(agent, "buy 1 XDG crypto", null).decision()))
                .isEqualTo("asset_authority_monitor");
    }

    @Test
    void a_sell_by_another_spelling_cannot_sell_what_is_not_held() {
        assertThat(violations(fixture.validated(agent, "sell 100 XBT crypto").value()))
                .isEqualTo("-");
        assertThat(violations(
                        fixture.validated(agent, "sell 30001 BTC-USD crypto").value()))
                .contains("action_not_allowed 30000 30001");
    }

    @Test
    void a_request_and_its_order_carry_the_canonical_symbol() {
        long id = fixture.queued(agent, "buy 100 btc-usd crypto");

        Pending pending = fixture.pending(id);
        assertThat(pending.proposal().trade().asset()).isEqualTo(new AssetSymbol("BTC"));
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED))
                .last()
                .satisfies(trade -> assertThat(trade.get("symbol")).isEqualTo("BTC"));
        assertThat(asset(fixture.payloads(EventKind.GUARDRAIL_DECISION).get(1))).isEqualTo("BTC btc-usd crypto held");
    }

    @Test
    void an_unknown_asset_gets_the_declared_sleeve_and_the_request_says_so() {
        long id = fixture.queued(agent, "buy 100 GROVE crypto");

        assertThat(asset(last())).isEqualTo("GROVE GROVE crypto said");
        assertThat(fixture.pending(id).proposal().asset().isKnown()).isFalse();
    }

    @Test
    void an_unknown_asset_is_blocked_if_the_ips_blocks_unknown_assets() {
        amend(BLOCKED);

        Decision decision = fixture.validated(agent, "buy 100 GROVE-USD crypto").value();

        assertThat(violations(decision)).isEqualTo("asset_authority_monitor");
        assertThat(decision.violations().get(0).message())
                .isEqualTo("GROVE is on no list of this account; unknown assets may only be watched.");
        assertThat(decision.ipsVersion()).isEqualTo(2);
        assertThat(asset(last())).isEqualTo("GROVE GROVE-USD crypto unknown");
        assertThat(violations(fixture.validated(agent, "buy 100 ETH crypto").value()))
                .isEqualTo("-");
    }

    @Test
    void a_request_for_an_unknown_asset_cannot_be_accepted_once_the_ips_blocks_them() {
        long id = fixture.queued(agent, "buy 100 GROVE crypto");
        amend(BLOCKED);

        assertThat(refused(fixture.attest.accept(USER, id)).violations())
                .extracting(violation -> violation.rule().wireName())
                .containsExactly("asset_authority_monitor");
    }

    @Test
    void one_asset_cannot_be_accepted_in_two_sleeves() {
        long asCrypto = fixture.queued(agent, "buy 100 GROVE crypto");
        long asTradfi = fixture.queued(agent, "buy 100 GROVE tradfi");
        given(fixture.attest.accept(USER, asCrypto));

        Refusal refusal = refused(fixture.attest.accept(USER, asTradfi));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.POLICY_BLOCKED);
        assertThat(refusal.violations().get(0).message()).isEqualTo("GROVE is a crypto asset; the call says tradfi.");
        assertThat(fixture.portfolio().heldIn(new AssetSymbol("GROVE"))).isNotNull();
    }

    @Test
    void a_rule_for_one_sleeve_cannot_be_bypassed_by_declaring_the_other() {
        amend("""
                {"standingRules":[{"id":"none","effect":"block","when":{"assetTypes":["crypto"],"symbols":["GROVE"]}}]}""");

        assertThat(violations(fixture.validated(agent, "buy 1 GROVE tradfi").value()))
                .isEqualTo("invalid_payload");
        assertThat(violations(fixture.validated(agent, "buy 1 GROVEUSD crypto").value()))
                .isEqualTo("standing_rule_blocked");
        assertThat(asset(last())).isEqualTo("GROVE GROVEUSD crypto listed");
    }

    @Test
    void a_rule_that_names_btc_as_tradfi_does_not_change_its_sleeve() {
        amend("""
                {"standingRules":[{"id":"none","effect":"block","when":{"assetTypes":["tradfi"],"symbols":["ETH"]}}]}""");

        assertThat(violations(fixture.validated(agent, "buy 1 ETH tradfi").value()))
                .isEqualTo("invalid_payload");
    }

    @Test
    void a_position_of_quantity_zero_determines_the_sleeve() {
        hold("broker", "{\"symbol\":\"GROVE\",\"assetType\":\"crypto\",\"quantity\":0,\"price\":1}");

        assertThat(violations(fixture.validated(agent, "buy 1 GROVE tradfi").value()))
                .isEqualTo("invalid_payload");
        assertThat(asset(last())).isEqualTo("GROVE GROVE crypto listed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"assetAuthority":{"assets":{"BTC":"protect","XBT":"full"}}} | assetAuthority.assets
            {"standingRules":[{"id":"a","effect":"block","when":{"symbols":["SPY"]}},{"id":"b","effect":"block","when":{"symbols":["DOGE","DOGE-USD"]}}]} | standingRules[1].when.symbols
            """)
    void an_ips_with_two_spellings_of_one_asset_is_refused(String changes, String field) {
        assertThat(refused(fixture.amendIps.put(USER, SampleValues.ips(changes)))
                        .problems())
                .extracting(Problem::field)
                .containsExactly(field);
        assertThat(fixture.store.view(USER).ips().version()).isEqualTo(1);
        PreviewIps preview = new PreviewIps(fixture.audit, fixture.store);
        List<Problem> problems = preview.preview(USER, Amendment.of(SampleValues.ips(changes)))
                .fold(lines -> List.<Problem>of(), Refusal::problems);
        assertThat(problems).extracting(Problem::field).containsExactly(field);
    }

    @Test
    void an_ips_is_stored_with_canonical_symbols_and_other_spellings_make_no_new_version() {
        Ips spelled = SampleValues.ips("""
                {"assetAuthority":{"assets":{"xdg":"monitor","GROVE-USD":"protect"}},
                 "standingRules":[{"id":"a","effect":"block","when":{"symbols":["XBT","SPY."]}}]}""");
        Ips canonical = SampleValues.ips("""
                {"assetAuthority":{"assets":{"DOGE":"monitor","GROVE":"protect"}},
                 "standingRules":[{"id":"a","effect":"block","when":{"symbols":["BTC","SPY"]}}]}""");

        assertThat(given(fixture.amendIps.put(USER, spelled)).version().ips()).isEqualTo(canonical);
        assertThat(given(fixture.amendIps.put(USER, canonical)).isNew()).isFalse();
    }

    @Test
    void the_allowed_assets_of_a_key_are_stored_canonically_and_two_spellings_of_one_are_refused() {
        AgentKey key = fixture.mint("live", "\"validate\"", "{\"allowedAssets\":[\"XBT\",\"SPY.\"]}")
                .key();
        KeyRequest twice = KeyRequest.read(JsonSamples.object("""
                {"name":"Robot","keyType":"live","scopes":["read"],"policy":{"allowedAssets":["BTC","BTC-USD"]}}""")).orElseThrow();

        assertThat(key.policy().allowedAssets().stream().map(AssetSymbol::value).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("BTC", "SPY");
        assertThat(violations(fixture.validated(new Caller(key, USER, null, "127.0.0.1"), "buy 1 BTC-USD crypto")
                        .value()))
                .isEqualTo("-");
        assertThat(refused(fixture.keys.mint(USER, twice)).problems())
                .extracting(Problem::field)
                .containsExactly("policy.allowedAssets");
    }

    @Test
    void holdings_are_stored_with_canonical_symbols() {
        Portfolio held = hold("broker", "{\"symbol\":\"xbt-usd\",\"assetType\":\"crypto\",\"quantity\":1,\"price\":5}");

        assertThat(held.custodian("broker").orElseThrow().positions())
                .extracting(position -> position.symbol().value())
                .containsExactly("BTC");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            broker | BTC crypto, XBT crypto       | positions[1].symbol
            broker | BTC crypto, BTC tradfi       | positions[1].assetType
            broker | SPY tradfi, BTC/USD tradfi, BTC crypto | positions[2].assetType
            other  | SPY tradfi, BTC tradfi       | positions[1].assetType
            other  | SPY. crypto                  | positions[0].assetType
            """)
    void holdings_with_one_asset_in_two_sleeves_are_refused(String custodian, String positions, String field) {
        String sent = positions.replaceAll(
                "(\\S+) (crypto|tradfi)", "{\"symbol\":\"$1\",\"assetType\":\"$2\",\"quantity\":1,\"price\":1}");

        assertThat(refused(fixture.observe.observe(USER, UseCaseFixture.setup(holdings(custodian, sent))))
                        .problems())
                .extracting(Problem::field)
                .containsExactly(field);
        assertThat(fixture.portfolio().custodians()).hasSize(1);
    }

    @Test
    void an_own_trade_gets_the_canonical_symbol_and_must_be_in_the_sleeve_that_holds_the_asset() {
        OwnTrade spelled = own("btc-usd", "crypto");

        given(fixture.observe.trade(USER, "broker", spelled));

        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED).get(0).get("symbol"))
                .isEqualTo("BTC");
        assertThat(refused(fixture.observe.trade(USER, "broker", own("XBT", "tradfi")))
                        .problems())
                .containsExactly(new Problem("assetType", "assetType must be crypto: BTC is held as crypto."));
    }

    @Test
    void an_own_trade_must_be_in_the_sleeve_in_which_the_asset_is_listed() {
        hold("broker", "{\"symbol\":\"GROVE\",\"assetType\":\"crypto\",\"quantity\":0,\"price\":1}");

        assertThat(refused(fixture.observe.trade(USER, "broker", own("GROVE", "tradfi")))
                        .problems())
                .extracting(Problem::field)
                .containsExactly("assetType");
    }

    private void amend(String changes) {
        given(fixture.amendIps.put(USER, SampleValues.ips(changes)));
    }

    private Portfolio hold(String custodian, String positions) {
        return given(fixture.observe.observe(USER, UseCaseFixture.setup(holdings(custodian, positions))));
    }

    private static CustodianHoldings holdings(String custodian, String positions) {
        String sent = "{\"name\":\"Some\",\"kind\":\"paper\",\"cash\":15000,\"positions\":[" + positions + "]}";
        return HoldingsDocument.read(custodian, JsonSamples.object(sent), SampleValues.NOON)
                .orElseThrow();
    }

    private static OwnTrade own(String symbol, String type) {
        return OwnTrade.read(JsonSamples.object("{\"action\":\"buy\",\"symbol\":\"" + symbol + "\",\"assetType\":\""
                        + type + "\",\"quantity\":0.001,\"price\":30000}"))
                .orElseThrow();
    }

    private Document last() {
        List<Document> decisions = fixture.payloads(EventKind.GUARDRAIL_DECISION);
        return decisions.get(decisions.size() - 1);
    }

    private static String asset(Document decision) {
        Document asset = (Document) decision.get("asset");
        return asset.get("symbol") + " " + asset.get("sent") + " " + asset.get("assetType") + " " + asset.get("source");
    }
}
