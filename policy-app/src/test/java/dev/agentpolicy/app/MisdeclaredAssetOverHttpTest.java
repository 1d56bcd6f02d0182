package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an agent cannot reach by calling an asset something else, through every door that takes a trade. */
@OnEveryDatabase
class MisdeclaredAssetOverHttpTest extends DatabaseTests {
    private static final String STATEMENT = """
            {"crypto":{"min":0,"target":0.2,"max":0.35},"tradfi":{"min":0,"target":0.5,"max":0.8},
             "cashFloor":0,"maxDrawdown":0.5,"maxSlippage":0.01%s}""";
    private static final String DOGE_WATCHED = ",\"assetAuthority\":{\"assets\":{\"DOGE\":\"monitor\"}}";
    private static final String LIE = "BTC is a crypto asset; the call says tradfi.";

    /** What one door says of a trade: its decision, and that it created nothing. */
    private record Answers(JsonNode validated, JsonNode item, JsonNode proposed) {

        List<JsonNode> all() {
            return List.of(validated, item, proposed);
        }
    }

    @Test
    void btc_at_its_crypto_maximum_cannot_be_bought_as_tradfi() {
        TestHousehold household = atTheCryptoMaximum("");
        ApiCaller agent = household.agent();

        Answers answers = ask(agent, trade("buy", "BTC", "tradfi", "80000"));

        for (JsonNode decision : answers.all()) {
            assertThat(decision.get("allowed").booleanValue()).isFalse();
            assertThat(decision.get("violations")).hasSize(1);
            assertThat(decision.at("/violations/0/rule").textValue()).isEqualTo("invalid_payload");
            assertThat(decision.at("/violations/0/message").textValue()).isEqualTo(LIE);
            assertThat(decision.get("ipsVersion").isNull()).isTrue();
            assertThat(decision.get("snapshot").isNull()).isTrue();
        }
        assertThat(household.user().get(APP + "requests").ok().json().get("requests"))
                .isEmpty();
        for (JsonNode payload : decisions(household)) {
            assertThat(payload.get("heldUsd").isNull()).isTrue();
            assertThat(payload.get("asset").toString())
                    .isEqualTo("{\"assetType\":\"crypto\",\"sent\":\"BTC\",\"source\":\"held\",\"symbol\":\"BTC\"}");
        }
        assertThat(agent.get(API + "audit").ok().json()).hasSize(3);
    }

    @Test
    void a_key_limited_to_tradfi_cannot_buy_btc() {
        TestHousehold household = atTheCryptoMaximum("");
        ApiCaller agent = household.agent(
                household.mint("live", "\"validate\",\"propose\"", "{\"allowedAssetTypes\":[\"tradfi\"]}"));

        assertThat(ask(agent, trade("buy", "BTC", "tradfi", "100")).all())
                .extracting(MisdeclaredAssetOverHttpTest::rules)
                .containsOnly(List.of("invalid_payload"));
        assertThat(rules(ask(agent, trade("buy", "BTC", "crypto", "0")).validated()))
                .containsExactly("asset_authority_monitor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DOGE", "DOGE-USD", "DOGE/USD", "DOGE.", "XDG", "doge-usd", "DOGEUSDT"})
    void an_asset_at_level_monitor_cannot_be_bought_by_another_spelling(String spelling) {
        TestHousehold household = atTheCryptoMaximum(DOGE_WATCHED);
        ApiCaller agent = household.agent();
        String sent = trade("buy", spelling, "crypto", "0");

        for (JsonNode decision : ask(agent, sent).all()) {
            assertThat(rules(decision)).containsExactly("asset_authority_monitor");
            assertThat(decision.at("/violations/0/message").textValue())
                    .isEqualTo("DOGE may only be watched: its authority level is monitor.");
        }
        for (JsonNode payload : decisions(household)) {
            assertThat(payload.at("/trade/assetSymbol").textValue()).isEqualTo("DOGE");
            assertThat(payload.at("/asset/sent").textValue()).isEqualTo(spelling);
        }
        assertThat(agent.post(API + "policy/validate-batch", "{\"trades\":[" + sent + "]}")
                        .ok()
                        .json()
                        .at("/results/0/payload/assetSymbol")
                        .textValue())
                .isEqualToIgnoringCase(spelling);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            BTC/EUR       | BTC/EUR trades BTC against EUR; only BTC, or BTC against US dollars, can be decided.
            BTC-EUR       | BTC-EUR trades BTC against EUR; only BTC, or BTC against US dollars, can be decided.
            BTCEUR        | BTCEUR trades BTC against EUR; only BTC, or BTC against US dollars, can be decided.
            BTC/BUSD      | BTC/BUSD trades BTC against BUSD; only BTC, or BTC against US dollars, can be decided.
            ETH/BTC       | ETH/BTC trades ETH against BTC; only ETH, or ETH against US dollars, can be decided.
            BTC-PERP      | BTC-PERP is a derivative of BTC; derivatives are not traded here.
            BTC_USDT_PERP | BTC_USDT_PERP is a derivative of BTC; derivatives are not traded here.
            XBTUSDTM      | XBTUSDTM is a derivative of BTC; derivatives are not traded here.
            CBBTC         | CBBTC is a crypto asset; the call says tradfi.
            .BTC          | BTC is a crypto asset; the call says tradfi.
            """)
    void a_known_coin_under_another_pair_or_as_a_derivative_is_refused_at_every_door(String symbol, String message) {
        TestHousehold household = atTheCryptoMaximum(",\"assetAuthority\":{\"assets\":{\"ETH\":\"monitor\"}}");
        JsonNode minted = household.mint("live");
        ApiCaller agent = household.agent(minted);
        String sent = trade("buy", symbol, "tradfi", "50000");

        for (JsonNode decision : ask(agent, sent).all()) {
            assertThat(decision.get("violations")).hasSize(1);
            assertThat(decision.get("snapshot").isNull()).isTrue();
        }
        for (JsonNode answer : answers(household, minted, symbol)) {
            assertThat(rules(answer)).containsExactly("invalid_payload");
            assertThat(answer.at("/violations/0/message").textValue()).isEqualTo(message);
        }
        Seen headroom = agent.post(API + "policy/headroom", sent.replaceAll(",\"amountUsd\":50000", ""))
                .ok();
        assertThat(headroom.json().get("intervals")).isEmpty();
        assertThat(headroom.json().at("/binding/message").textValue()).isEqualTo(message);
        assertThat(household.user().get(APP + "requests").ok().json().get("requests"))
                .isEmpty();
    }

    @Test
    void the_log_says_what_is_traded_against_what() {
        TestHousehold household = atTheCryptoMaximum("");
        ApiCaller agent = household.agent();
        agent.post(API + "policy/validate", trade("buy", "eth/btc.", "crypto", "10"))
                .ok();
        agent.post(API + "policy/validate", trade("buy", "btc-perp", "crypto", "10"))
                .ok();

        assertThat(decisions(household))
                .extracting(payload -> payload.get("asset").toString())
                .containsExactlyInAnyOrder(
                        "{\"assetType\":\"crypto\",\"base\":\"ETH\",\"quote\":\"BTC\",\"sent\":\"eth/btc.\",\"source\":\"pair\",\"symbol\":\"ETH/BTC\"}",
                        "{\"assetType\":\"crypto\",\"base\":\"BTC\",\"sent\":\"btc-perp\",\"source\":\"derivative\",\"symbol\":\"BTC-PERP\"}");
        assertThat(decisions(household))
                .extracting(payload -> payload.at("/trade/assetSymbol").textValue())
                .containsExactlyInAnyOrder("ETH/BTC", "BTC-PERP");
        assertThat(household
                        .user()
                        .get(APP + "activity?symbol=ETH%2FBTC")
                        .ok()
                        .json()
                        .get("events"))
                .hasSize(1);
    }

    @Test
    void what_newly_names_a_pair_or_a_derivative_is_400() {
        TestHousehold household = atTheCryptoMaximum("");
        ApiCaller user = household.user();

        Seen ips = user.put(
                APP + "ips", STATEMENT.formatted(",\"assetAuthority\":{\"assets\":{\"ETH/BTC\":\"monitor\"}}"));
        Seen key = user.post(
                APP + "keys",
                "{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":{\"allowedAssets\":[\"BTC-PERP\"]}}");
        Seen holdings = user.put(APP + "custodians/other", """
                {"name":"Other","kind":"paper","cash":0,"positions":[
                  {"symbol":"BTCEUR","assetType":"tradfi","quantity":1,"price":1}]}""");
        Seen own = user.post(APP + "custodians/paper/trades", """
                {"action":"buy","symbol":"XBTUSDTM","assetType":"tradfi","quantity":1,"price":1}""");

        assertThat(List.of(ips, key, holdings, own)).extracting(Seen::status).containsOnly(400);
        assertThat(ips.text())
                .contains("assetAuthority.assets must not name a pair or a derivative: ETH/BTC trades ETH");
        assertThat(key.text()).contains("policy.allowedAssets must not name a pair or a derivative: BTC-PERP is a");
        assertThat(holdings.text()).contains("positions[0].symbol must not name a pair or a derivative: BTCEUR trades");
        assertThat(own.text()).contains("symbol must not name a pair or a derivative: XBTUSDTM is a derivative of BTC");
    }

    @Test
    void an_unknown_asset_is_blocked_if_the_policy_blocks_unknown_assets() {
        TestHousehold household = atTheCryptoMaximum(",\"unknownAssets\":\"block\"");

        for (JsonNode decision :
                ask(household.agent(), trade("buy", "GROVE", "tradfi", "10")).all()) {
            assertThat(rules(decision)).containsExactly("asset_authority_monitor");
            assertThat(decision.at("/violations/0/message").textValue())
                    .isEqualTo("GROVE is on no list of this account; unknown assets may only be watched.");
        }
        assertThat(household
                        .user()
                        .get(APP + "ips")
                        .ok()
                        .json()
                        .get("unknownAssets")
                        .textValue())
                .isEqualTo("block");
        assertThat(household
                        .agent()
                        .get(API + "mandate")
                        .ok()
                        .json()
                        .get("unknownAssets")
                        .textValue())
                .isEqualTo("block");
    }

    @Test
    void a_request_for_an_unknown_asset_says_so() {
        TestHousehold household = atTheCryptoMaximum("");
        ApiCaller agent = household.agent();

        JsonNode unknown = request(household, agent, trade("buy", "GROVE-USD", "tradfi", "10"));
        JsonNode known = request(household, agent, trade("buy", "SPY", "tradfi", "10"));

        assertThat(unknown.at("/trade/assetSymbol").textValue()).isEqualTo("GROVE");
        assertThat(unknown.get("warning").textValue()).startsWith("Nobody knows this asset");
        assertThat(known.has("warning")).isFalse();
    }

    @Test
    void symbols_are_stored_canonically_and_two_spellings_of_one_asset_are_400() {
        TestHousehold household = atTheCryptoMaximum("");
        ApiCaller user = household.user();

        Seen put = user.put(APP + "ips", STATEMENT.formatted(",\"assetAuthority\":{\"assets\":{\"XDG\":\"monitor\"}}"))
                .ok();
        Seen twice = user.put(
                APP + "ips",
                STATEMENT.formatted(",\"assetAuthority\":{\"assets\":{\"XDG\":\"monitor\",\"DOGE-USD\":\"full\"}}"));
        Seen preview = user.post(
                APP + "ips/preview",
                STATEMENT.formatted(",\"assetAuthority\":{\"assets\":{\"XDG\":\"monitor\",\"DOGE-USD\":\"full\"}}"));

        assertThat(put.json().at("/assetAuthority/assets").toString()).isEqualTo("{\"DOGE\":\"monitor\"}");
        assertThat(twice.status()).isEqualTo(400);
        assertThat(twice.text()).contains("assetAuthority.assets lists DOGE twice");
        assertThat(preview.status()).isEqualTo(400);
        assertThat(household
                        .mint("live", "\"read\"", "{\"allowedAssets\":[\"XBT\"]}")
                        .at("/policy/allowedAssets")
                        .toString())
                .isEqualTo("[\"BTC\"]");
        assertThat(user.post(
                                APP + "keys",
                                "{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":{\"allowedAssets\":[\"BTC\",\"BTC.\"]}}")
                        .text())
                .contains("policy.allowedAssets lists BTC twice");
    }

    @Test
    void holdings_and_own_trades_that_would_put_one_symbol_into_two_sleeves_are_400() {
        TestHousehold household = atTheCryptoMaximum("");
        ApiCaller user = household.user();

        Seen other = user.put(APP + "custodians/other", """
                {"name":"Other","kind":"paper","cash":0,"positions":[
                  {"symbol":"BTC/USD","assetType":"tradfi","quantity":1,"price":1}]}""");
        Seen own = user.post(APP + "custodians/paper/trades", """
                {"action":"buy","symbol":"XBT","assetType":"tradfi","quantity":1,"price":1}""");

        assertThat(other.status()).isEqualTo(400);
        assertThat(other.text()).contains("positions[0].assetType must be crypto: BTC is held as crypto.");
        assertThat(own.status()).isEqualTo(400);
        assertThat(own.text()).contains("assetType must be crypto: BTC is held as crypto.");
    }

    /** 35 % in crypto where 35 % is the most, and a fifth in cash. */
    private TestHousehold atTheCryptoMaximum(String changes) {
        TestHousehold household = TestHousehold.signUp(node.caller());
        household.user().put(APP + "ips", STATEMENT.formatted(changes)).ok();
        household.user().put(APP + "custodians/paper", """
                {"name":"Paper","kind":"paper","cash":200000,"positions":[
                  {"symbol":"BTC","assetType":"crypto","quantity":3.5,"price":100000},
                  {"symbol":"SPY","assetType":"tradfi","quantity":900,"price":500}]}""").ok();
        return household;
    }

    private static Answers ask(ApiCaller agent, String trade) {
        JsonNode validated = agent.post(API + "policy/validate", trade).ok().json();
        JsonNode batch = agent.post(API + "policy/validate-batch", "{\"trades\":[" + trade + "]}")
                .ok()
                .json();
        JsonNode proposed = agent.post(API + "trades/propose", trade).ok().json();
        assertThat(proposed.get("proposed").booleanValue()).isFalse();
        return new Answers(validated, batch.at("/results/0/decision"), proposed.get("decision"));
    }

    /** What the Model Context Protocol, AuthZEN, the two trials of the owner and the sandbox answer. */
    private static List<JsonNode> answers(TestHousehold household, JsonNode minted, String symbol) {
        String trade = trade("buy", symbol, "tradfi", "50000");
        AccessCaller access = AccessCaller.of(household, minted);
        ApiCaller tools = access.agent().with("Accept", "application/json, text/event-stream");
        String call =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"validate_trade\",\"arguments\":"
                        + trade + "}}";
        String evaluation = "{'subject':$ME,'action':{'name':'buy'},'resource':"
                + AccessCaller.asset(symbol, "tradfi")
                + ",'context':{'amountUsd':50000}}";
        ApiCaller user = household.user();
        String keyId = minted.get("agentKeyId").textValue();
        return List.of(
                tools.post("/mcp", call).ok().json().at("/result/structuredContent"),
                access.one(evaluation).ok().json().get("context"),
                user.post(APP + "ips/try", trade).ok().json().get("decision"),
                user.post(APP + "keys/" + keyId + "/try", trade).ok().json().get("decision"),
                household
                        .agent(household.mint("test"))
                        .post(API + "policy/validate", trade)
                        .ok()
                        .json());
    }

    private static JsonNode request(TestHousehold household, ApiCaller agent, String trade) {
        JsonNode proposed = agent.post(API + "trades/propose", trade).ok().json();
        return household
                .user()
                .get(APP + "requests/" + proposed.get("serviceRequestId"))
                .ok()
                .json();
    }

    private static List<JsonNode> decisions(TestHousehold household) {
        JsonNode events = household
                .user()
                .get(APP + "events?eventType=guardrail.decision")
                .ok()
                .json()
                .get("events");
        return StreamSupport.stream(events.spliterator(), false)
                .map(event -> event.get("payload"))
                .toList();
    }

    private static List<String> rules(JsonNode decision) {
        List<String> rules = new ArrayList<>();
        decision.get("violations")
                .forEach(violation -> rules.add(violation.get("rule").textValue()));
        return rules;
    }
}
