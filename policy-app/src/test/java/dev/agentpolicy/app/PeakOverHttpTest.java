package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.alpaca.AlpacaStandIn;
import dev.agentpolicy.alpaca.StandInAccount;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the drawdown is counted from, with a broker whose prices are wrong for a moment, and as the owner says. */
class PeakOverHttpTest {
    private static final String PASSWORD = "{\"confirmation\":{\"password\":\"correct horse battery\"}}";

    @TempDir
    Path folder;

    /** 80 000 USD of a fund and 20 000 in cash; syncs are made by the test alone. */
    @ParameterizedTest
    @EnumSource
    void ten_times_the_price_for_one_sync_stops_no_buy_even_over_a_restart(Database database) {
        try (AlpacaStandIn broker = AlpacaStandIn.start()) {
            broker.market().share("SPY", "400").coin("BTC/USD", "60000");
            StandInAccount account = broker.account("one", "20000").hold("SPY", "200");
            Map<String, String> settings = Map.of(
                    "POLICY_ALPACA_PAPER_URL",
                    broker.address(),
                    "POLICY_CUSTODIAN_SYNC_SECONDS",
                    "86399",
                    "POLICY_SNAPSHOT_MAX_AGE_SECONDS",
                    "86400");
            String url = database.fresh(folder);
            TestHousehold household;
            ApiCaller agent;
            try (ServiceNode node = ServiceNode.start(folder, url, settings)) {
                household = TestHousehold.signUp(node.caller());
                agent = household.agent();
                household
                        .user()
                        .put(APP + "ips", TestHousehold.demo("ips.json"))
                        .ok();
                household
                        .user()
                        .post(
                                APP + "custodians/broker/connect",
                                "{\"kind\":\"alpaca\",\"name\":\"Alpaca\",\"environment\":\"paper\",\"keyId\":\""
                                        + account.keyId() + "\",\"secretKey\":\"" + account.secretKey() + "\"}")
                        .ok();
                broker.market().share("SPY", "4000");
                sync(household.user());
                assertThat(snapshot(household.user()).get("totalValue").intValue())
                        .isEqualTo(820_000);
                assertThat(snapshot(household.user()).get("currentDrawdownPct").doubleValue())
                        .isZero();
            }
            try (ServiceNode node = ServiceNode.start(folder, url, settings)) {
                ApiCaller user = household.user().at(node.caller().address());
                broker.market().share("SPY", "400");
                sync(user);

                assertThat(snapshot(user).get("currentDrawdownPct").doubleValue())
                        .isZero();
                JsonNode day = user.get(APP + "portfolio/history")
                        .ok()
                        .json()
                        .get("days")
                        .get(0);
                assertThat(day.get("peakValue").intValue()).isEqualTo(100_000);
                JsonNode decision = agent.at(node.caller().address())
                        .post(API + "policy/validate", trade("buy", "BTC", "crypto", "1000"))
                        .ok()
                        .json();
                assertThat(decision.get("reason").textValue()).isEqualTo("Within policy");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_owner_begins_a_new_peak_and_a_session_alone_does_not(Database database) {
        try (ServiceNode node = ServiceNode.start(folder, database.fresh(folder))) {
            TestHousehold household = TestHousehold.withPolicy(node.caller());
            ApiCaller user = household.user();
            user.post(APP + "custodians/paper/trades", """
                    {"action":"sell","symbol":"SPY","assetType":"tradfi","quantity":100,"price":325}""").ok();
            assertThat(snapshot(user).get("currentDrawdownPct").doubleValue()).isEqualTo(0.325);

            for (String body : List.of("", "{}", "{\"confirmation\":null}", PASSWORD.replace("battery", "staple"))) {
                assertThat(user.post(APP + "portfolio/peak", body)
                                .json()
                                .get("error")
                                .textValue())
                        .isEqualTo("confirmation_required");
            }
            assertThat(snapshot(user).get("currentDrawdownPct").doubleValue()).isEqualTo(0.325);
            JsonNode begun = user.post(APP + "portfolio/peak", PASSWORD).ok().json();

            assertThat(snapshot(user).get("currentDrawdownPct").doubleValue()).isZero();
            assertThat(begun.get("ipsVersion").intValue()).isEqualTo(2);
            String since = begun.get("drawdownSince").textValue();
            assertThat(since).isEqualTo(begun.get("createdAt").textValue());
            ObjectNode sent = (ObjectNode) user.get(APP + "ips").ok().json();
            sent.put("tier", 5).put("drawdownSince", "2020-01-01T00:00:00Z");
            JsonNode stored = user.put(APP + "ips", sent.toString()).ok().json();
            assertThat(stored.get("ipsVersion").intValue()).isEqualTo(3);
            assertThat(stored.get("drawdownSince").textValue()).isEqualTo(since);
            JsonNode rows = user.get(APP + "events?eventType=ips.amended&order=asc")
                    .ok()
                    .json()
                    .get("events");
            assertThat(rows)
                    .extracting(row -> row.at("/payload/document/drawdownSince").textValue())
                    .containsExactly(since, since);
        }
    }

    private static void sync(ApiCaller user) {
        JsonNode custodian =
                user.post(APP + "custodians/broker/sync", "{}").ok().json();
        assertThat(custodian.get("status").textValue()).isEqualTo("connected");
    }

    private static JsonNode snapshot(ApiCaller user) {
        return user.get(APP + "portfolio").ok().json().get("snapshot");
    }
}
