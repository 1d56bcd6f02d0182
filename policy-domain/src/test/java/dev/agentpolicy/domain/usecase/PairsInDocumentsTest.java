package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.sample.SampleValues.violations;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyChange;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import dev.agentpolicy.domain.usecase.custodian.SyncResult;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.PreviewIps;
import dev.agentpolicy.domain.usecase.policy.ReadHome;
import dev.agentpolicy.domain.usecase.policy.StoredPair.Place;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents may not newly name pairs and derivatives of known coins; what is stored stays, and so does what is held. */
class PairsInDocumentsTest {
    private static final String AGAINST_BTC =
            " must not name a pair or a derivative: ETH/BTC trades ETH against BTC; only ETH, or ETH against US dollars, can be decided.";
    private static final String NAMES_A_PAIR = """
            {"assetAuthority":{"assets":{"BTC":"protect","ETH/BTC":"monitor"}},
             "standingRules":[{"id":"a","effect":"block","when":{"symbols":["BTC-PERP","-DOGE-PERP"]}}]}""";

    private final UseCaseFixture fixture = UseCaseFixture.furnished();

    @AfterEach
    void every_decision_can_be_recomputed_from_the_chain_alone() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"assetAuthority":{"assets":{"eth/btc":"monitor"}}} | assetAuthority.assets | ETH/BTC trades ETH against BTC; only ETH, or ETH against US dollars, can be decided.
            {"assetAuthority":{"assets":{".ETH/BTC":"monitor"}}} | assetAuthority.assets | ETH/BTC trades ETH against BTC; only ETH, or ETH against US dollars, can be decided.
            {"standingRules":[{"id":"a","effect":"block","when":{"symbols":["SPY","XBTUSDTM"]}}]} | standingRules[0].when.symbols | XBTUSDTM is a derivative of BTC; derivatives are not traded here.
            {"standingRules":[{"id":"a","effect":"block","when":{"assetTypes":["tradfi"],"symbols":["BTC-PERP"]}}]} | standingRules[0].when.symbols | BTC-PERP is a derivative of BTC; derivatives are not traded here.
            {"assetAuthority":{"assets":{"GROVE":"monitor","GROVE-PERP":"full"}}} | assetAuthority.assets | GROVE-PERP is a derivative of GROVE; derivatives are not traded here.
            {"standingRules":[{"id":"a","effect":"require_approval","when":{}}],"approvals":[{"ruleId":"a","symbol":"BTCEUR","until":"2026-11-22T12:00:00Z"}]} | approvals[0].symbol | BTCEUR trades BTC against EUR; only BTC, or BTC against US dollars, can be decided.
            """)
    void an_ips_may_not_newly_name_a_pair_or_a_derivative(String changes, String field, String sentence) {
        Problem problem = new Problem(field, field + " must not name a pair or a derivative: " + sentence);
        PreviewIps preview = new PreviewIps(fixture.audit, fixture.store);

        assertThat(refused(fixture.amendIps.put(USER, SampleValues.ips(changes)))
                        .problems())
                .containsExactly(problem);
        assertThat(preview.preview(USER, Amendment.of(SampleValues.ips(changes)))
                        .fold(lines -> List.<Problem>of(), Refusal::problems))
                .containsExactly(problem);
        assertThat(fixture.store.view(USER).ips().version()).isOne();
    }

    @Test
    void an_unchanged_ips_that_names_a_pair_already_may_be_put_again_and_changed_elsewhere() {
        stored(NAMES_A_PAIR);

        assertThat(given(fixture.amendIps.put(USER, SampleValues.ips(NAMES_A_PAIR)))
                        .version()
                        .ips()
                        .named())
                .contains(new AssetSymbol("ETH/BTC"), new AssetSymbol("BTC-PERP"));
        assertThat(given(fixture.amendIps.put(USER, SampleValues.ips(NAMES_A_PAIR.replace("protect", "full"))))
                        .isNew())
                .isTrue();
        assertThat(refused(fixture.amendIps.put(USER, SampleValues.ips(NAMES_A_PAIR.replace("\"BTC\"", "\"ETH/EUR\""))))
                        .problems())
                .extracting(Problem::field)
                .containsExactly("assetAuthority.assets");
    }

    @Test
    void an_ips_that_names_two_spellings_already_may_be_put_again() {
        String both = "{\"assetAuthority\":{\"assets\":{\"BTC\":\"protect\",\".BTC\":\"monitor\"}}}";
        stored(both);

        assertThat(given(fixture.amendIps.put(USER, SampleValues.ips(both))).isNew())
                .isFalse();
    }

    @Test
    void a_pair_that_a_stored_ips_names_has_the_sleeve_of_its_coin() {
        stored("{\"assetAuthority\":{\"assets\":{\"BTC/EUR\":\"full\"}}}");
        Caller agent = fixture.agent("{}");

        assertThat(fixture.validated(agent, "buy 1 BTC/EUR tradfi")
                        .value()
                        .violations()
                        .get(0)
                        .message())
                .isEqualTo("BTC/EUR is a crypto asset; the call says tradfi.");
    }

    @Test
    void a_key_may_not_newly_name_a_pair_and_keeps_the_one_it_has() {
        KeyRequest asked = KeyRequest.read(JsonSamples.object("""
                {"name":"Robot","keyType":"live","scopes":["read"],"policy":{"allowedAssets":["SPY","ETH/BTC"]}}""")).orElseThrow();
        Problem problem = new Problem("policy.allowedAssets", "policy.allowedAssets" + AGAINST_BTC);

        assertThat(refused(fixture.keys.mint(USER, asked)).problems()).containsExactly(problem);

        AgentKey key = fixture.mint("live", "\"read\"", "{\"allowedAssets\":[\"SPY\"]}")
                .key();
        assertThat(refused(fixture.keys.change(
                                USER, key.id(), change("{\"policy\":{\"allowedAssets\":[\"ETH/BTC\"]}}")))
                        .problems())
                .containsExactly(problem);

        AgentKey older = key.with(key.name(), SampleValues.policy("{\"allowedAssets\":[\"ETH/BTC\"]}"), List.of());
        record(new Outcome.Recording().key(older).event(EventPayloads.keyChanged(older)));
        assertThat(given(fixture.keys.change(USER, key.id(), change("{\"name\":\"Other\"}")))
                        .policy())
                .isEqualTo(older.policy());
        assertThat(given(fixture.keys.change(
                                USER, key.id(), change("{\"policy\":{\"allowedAssets\":[\"ETH/BTC\",\"BTC\"]}}")))
                        .policy()
                        .allowedAssets())
                .hasSize(2);
    }

    @Test
    void pairs_that_are_stored_are_told_at_home_with_the_places_where_they_are() {
        ReadHome home =
                new ReadHome(fixture.store, fixture.store.requestQueue(), fixture.store.eventLog(), fixture.clock);
        assertThat(home.read(USER).storedPairs()).isEmpty();

        stored(NAMES_A_PAIR);
        AgentKey key = fixture.mint("live", "\"read\"", "{}").key();
        AgentKey older = key.with(
                key.name(), SampleValues.policy("{\"allowedAssets\":[\"BTC\",\"ETH/BTC\",\"WBTC\"]}"), List.of());
        record(new Outcome.Recording().key(older).event(EventPayloads.keyChanged(older)));
        CustodianHoldings holdings = HoldingsDocument.read("other", JsonSamples.object("""
                        {"name":"Some","kind":"paper","cash":1,"positions":[
                          {"symbol":"BTC/EUR","assetType":"crypto","quantity":1,"price":1},
                          {"symbol":"ETH/BTC","assetType":"crypto","quantity":1,"price":1}]}"""), SampleValues.NOON)
                .orElseThrow();
        record(new Outcome.Recording().portfolio(fixture.portfolio().with(holdings, SampleValues.NOON)));

        assertThat(home.read(USER).storedPairs())
                .extracting(pair -> pair.symbol() + " " + pair.pair().base() + " "
                        + pair.pair().quote() + " " + pair.places())
                .containsExactly(
                        "-DOGE-PERP DOGE null [POLICY]",
                        "BTC-PERP BTC null [POLICY]",
                        "BTC/EUR BTC EUR [HOLDINGS]",
                        "ETH/BTC ETH BTC [POLICY, KEYS, HOLDINGS]");

        given(fixture.keys.revoke(USER, key.id()));
        assertThat(home.read(USER).storedPairs())
                .extracting(pair -> pair.places())
                .endsWith(Set.of(Place.POLICY, Place.HOLDINGS));
    }

    @Test
    void holdings_may_not_newly_name_a_pair_and_keep_the_one_they_have() {
        String pair = "{\"name\":\"Some\",\"kind\":\"paper\",\"cash\":1,\"positions\":["
                + "{\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":1},"
                + "{\"symbol\":\"ETH/BTC\",\"assetType\":\"crypto\",\"quantity\":0,\"price\":1}]}";

        assertThat(refused(fixture.observe.observe(USER, UseCaseFixture.setup("other", pair)))
                        .problems())
                .containsExactly(new Problem("positions[1].symbol", "positions[1].symbol" + AGAINST_BTC));

        CustodianHoldings older = HoldingsDocument.read("other", JsonSamples.object(pair), SampleValues.NOON)
                .orElseThrow();
        record(new Outcome.Recording().portfolio(fixture.portfolio().with(older, SampleValues.NOON)));
        given(fixture.observe.observe(USER, UseCaseFixture.setup("other", pair)));
        assertThat(fixture.portfolio().listedIn(new AssetSymbol("ETH/BTC"))).isEqualTo(AssetType.CRYPTO);
    }

    @Test
    void a_stored_position_does_not_move_a_coin_into_another_sleeve_by_its_spelling() {
        CustodianHoldings stored = HoldingsDocument.STORED.readStored(JsonSamples.object("""
                {"id":"old","name":"Some","kind":"paper","syncedAt":"2026-11-21T12:00:00.000000Z","revision":1,"cash":"1",
                 "positions":[{"symbol":".BTC","assetType":"tradfi","quantity":"1","price":"1"},
                              {"symbol":".ETH","assetType":"crypto","quantity":"1","price":"1"}]}"""));

        assertThat(stored.position(new AssetSymbol(".BTC"), AssetType.TRADFI)).isPresent();
        assertThat(stored.position(new AssetSymbol("ETH"), AssetType.CRYPTO)).isPresent();
        assertThat(stored.positions()).hasSize(2);
    }

    @Test
    void an_own_trade_may_not_newly_name_a_pair() {
        OwnTrade trade = OwnTrade.read(JsonSamples.object("""
                {"action":"buy","symbol":"eth/btc","assetType":"crypto","quantity":1,"price":1}""")).orElseThrow();

        assertThat(refused(fixture.observe.trade(USER, "broker", trade)).problems())
                .containsExactly(new Problem("symbol", "symbol" + AGAINST_BTC));
    }

    @Test
    void an_approval_may_not_newly_name_a_pair() {
        given(fixture.amendIps.put(USER, SampleValues.ips("""
                {"standingRules":[{"id":"a","effect":"require_approval","when":{}}]}""")));
        Approval approval = new Approval(
                "a",
                null,
                null,
                new AssetSymbol("ETH/BTC"),
                null,
                SampleValues.NOON.plus(Duration.ofDays(1)),
                null,
                null);

        assertThat(refused(fixture.amendIps.approve(USER, approval)).problems())
                .containsExactly(new Problem("symbol", "symbol" + AGAINST_BTC));
    }

    @Test
    void a_position_of_a_broker_that_is_a_pair_counts_as_its_class_says() {
        fixture.broker
                .cash(Usd.of(15_000))
                .position("ETH/BTC", AssetType.CRYPTO, "2", "100")
                .position("BTC-PERP", AssetType.TRADFI, "1", "50");
        ConnectRequest request = new ConnectRequest(
                CustodianKind.ALPACA, "Alpaca", new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"));

        given(fixture.connect.connect(USER, "alpaca", request));
        fixture.clock.advance(Duration.ofSeconds(10));

        assertThat(fixture.sync.sync(USER, "alpaca")).isEqualTo(SyncResult.SYNCED);
        CustodianHoldings held = fixture.portfolio().custodian("alpaca").orElseThrow();
        assertThat(held.position(new AssetSymbol("ETH/BTC"), AssetType.CRYPTO)).isPresent();
        assertThat(held.position(new AssetSymbol("BTC-PERP"), AssetType.TRADFI)).isPresent();
        assertThat(violations(fixture.validated(fixture.agent("{}"), "sell 1 ETH/BTC crypto")
                        .value()))
                .isEqualTo("-");
        assertThat(violations(fixture.validated(fixture.agent("{}"), "buy 1 ETH/EUR crypto")
                        .value()))
                .isEqualTo("invalid_payload");
    }

    @Test
    void a_request_for_a_pair_from_before_the_upgrade_cannot_be_accepted() {
        Caller agent = fixture.agent("{}");
        record(new Outcome.Recording()
                .portfolio(fixture.portfolio()
                        .with(
                                HoldingsDocument.read("old", JsonSamples.object("""
                        {"name":"Some","kind":"paper","cash":1,"positions":[
                          {"symbol":"BTC/EUR","assetType":"tradfi","quantity":0,"price":1}]}"""), SampleValues.NOON)
                                        .orElseThrow(),
                                SampleValues.NOON)));
        long id = fixture.queued(agent, "buy 100 BTC/EUR tradfi");
        given(fixture.observe.observe(USER, UseCaseFixture.setup("old", """
                {"name":"Some","kind":"paper","cash":1,"positions":[]}""")));

        Refusal refusal = refused(fixture.attest.accept(USER, id));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.POLICY_BLOCKED);
        assertThat(refusal.violations().get(0).message())
                .isEqualTo("BTC/EUR trades BTC against EUR; only BTC, or BTC against US dollars, can be decided.");
        given(fixture.attest.reject(USER, id, "No."));
        assertThat(fixture.payloads(EventKind.GUARDRAIL_DECISION)).hasSize(3);
    }

    private static KeyChange change(String sent) {
        return KeyChange.read(JsonSamples.object(sent)).orElseThrow();
    }

    /** Puts a statement in force without looking at its symbols, as older versions did. */
    private void stored(String changes) {
        Ips ips = SampleValues.ips(changes);
        IpsVersion before = fixture.store.view(USER).ips();
        IpsVersion next = new IpsVersion(before.version() + 1, ips, fixture.clock.instant());
        record(new Outcome.Recording().ips(next).event(EventPayloads.ips(next, before)));
    }

    private void record(Outcome.Recording recording) {
        fixture.store
                .change(USER, account -> recording.answer(receipts -> true))
                .toCompletableFuture()
                .join();
    }
}
