package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.sample.JsonSamples;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How an account stands, in one answer. */
class HomeTest {
    private static final String TOO_MUCH = Expect.TRADE.replaceFirst("\"amountUsd\":[0-9.]+", "\"amountUsd\":9800.5");

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void an_account_with_nothing_in_it_says_so() {
        JsonNode home = home(signedIn.user());

        assertThat(home.get("ipsVersion").isNull()).isTrue();
        assertThat(home.get("value").isNull()).isTrue();
        assertThat(home.get("snapshot").isNull()).isTrue();
        assertThat(home.get("drift").isNull()).isTrue();
        assertThat(home.get("paused").booleanValue()).isFalse();
        assertThat(home.get("activeKeys").intValue()).isZero();
        assertThat(home.get("limits")).isEmpty();
        assertThat(home.get("custodians")).isEmpty();
        assertThat(home.at("/pending/count").intValue()).isZero();
        assertThat(home.at("/blocked/count").intValue()).isZero();
    }

    @Test
    void the_distance_to_every_limit_is_told() {
        signedIn.agent();

        JsonNode home = home(signedIn.user());

        assertThat(home.get("limits").toString())
                .isEqualTo("[" + limit("crypto_max_allocation", "0.35", "0.2", "0.15", "15000") + ","
                        + limit("crypto_min_allocation", "0.1", "0.2", "0.1", "10000") + ","
                        + limit("tradfi_max_allocation", "0.8", "0.7", "0.1", "10000") + ","
                        + limit("tradfi_min_allocation", "0.55", "0.7", "0.15", "15000") + ","
                        + limit("cash_floor", "0.05", "0.1", "0.05", "5000") + ","
                        + limit("drawdown_exceeded", "0.25", "0", "0.25", "25000") + "]");
        assertThat(home.get("drift").toString())
                .isEqualTo("{\"outOfBand\":false,\"beyond\":[],\"cryptoFromTarget\":0,\"tradfiFromTarget\":0.05}");
        assertThat(home.get("activeKeys").intValue()).isEqualTo(1);
        assertThat(home.at("/custodians/0/status").textValue()).isEqualTo("connected");
    }

    @Test
    void a_portfolio_beyond_a_limit_has_drifted() {
        signedIn.agent();
        Client user = signedIn.user();
        user.put(APP + "custodians/main", SignedIn.BOOK.replace("\"10000\"", "\"1000\""));

        JsonNode home = home(user);

        assertThat(home.at("/drift/outOfBand").booleanValue()).isTrue();
        assertThat(home.at("/drift/beyond/0/rule").textValue()).isEqualTo("cash_floor");
        assertThat(home.at("/limits/4/headroomUsd").decimalValue()).isEqualByComparingTo("-3550");
    }

    @Test
    void the_value_is_compared_with_that_of_a_day_ago_and_of_the_last_close() {
        Client user = signedIn.user();
        user.put(APP + "custodians/main", SignedIn.BOOK);
        assertThat(home(user).at("/value/last24Hours").isNull()).isTrue();
        assertThat(home(user).at("/value/sinceLastClose").isNull()).isTrue();

        service.clock.advance(Duration.ofHours(10));
        user.put(APP + "custodians/main", SignedIn.BOOK.replace("\"10000\"", "\"12500\""));
        JsonNode nextDay = home(user);
        assertThat(nextDay.at("/value/totalValue").intValue()).isEqualTo(102_500);
        assertThat(nextDay.at("/value/last24Hours").isNull()).isTrue();
        assertThat(nextDay.at("/value/sinceLastClose/totalValue").intValue()).isEqualTo(100_000);
        assertThat(nextDay.at("/value/sinceLastClose/changeUsd").intValue()).isEqualTo(2_500);
        assertThat(nextDay.at("/value/sinceLastClose/changePct").decimalValue()).isEqualByComparingTo("0.025");

        service.clock.advance(Duration.ofHours(14));
        assertThat(home(user).at("/value/last24Hours/changeUsd").intValue()).isEqualTo(2_500);
    }

    @Test
    void limits_are_shown_as_they_stand_and_to_a_request_as_it_would_leave_them() {
        Client agent = signedIn.agent();
        Client user = signedIn.user();
        user.put(APP + "ips", SignedIn.IPS.replaceFirst("\\{", """
                {"limits":[{"id":"coin","kind":"position","max":0.25,"perAsset":true,"scope":{"assetTypes":["crypto"]}},
                 {"id":"day","kind":"flow","windowMinutes":1440,"maxUsd":5000},
                 {"id":"each","kind":"flow","windowMinutes":60,"maxTrades":3,"per":"agent"},
                 {"id":"loss","kind":"loss","windowDays":1,"max":0.05},
                 {"id":"sold","kind":"flow","windowMinutes":60,"maxUsd":1,"scope":{"actions":["sell"]}}],"""));
        agent.post(Client.PROPOSE, Expect.TRADE);
        user.put(APP + "custodians/main", SignedIn.BOOK.replace("100000", "50000"));

        JsonNode standing = home(user).get("policyLimits");
        JsonNode asked = user.get(APP + "requests/1").json().at("/now/policyLimits");

        assertThat(standing.findValuesAsText("id")).containsExactly("coin", "day", "each", "loss", "sold");
        assertThat(standing.at("/0/actual").decimalValue()).isEqualByComparingTo("0.111111");
        assertThat(standing.at("/1/used").toString()).isEqualTo("{\"usd\":100,\"trades\":1}");
        assertThat(standing.at("/1").has("actual")).isFalse();
        assertThat(standing.at("/2/used").isNull()).isTrue();
        assertThat(standing.at("/3/actual").decimalValue()).isEqualByComparingTo("0.1");
        assertThat(asked.findValuesAsText("id")).containsExactly("coin", "day", "each", "loss");
        assertThat(asked.at("/0/actual").decimalValue())
                .describedAs("100 of 90 000 USD in ETH")
                .isEqualByComparingTo("0.001111");
        assertThat(asked.at("/2/used").toString()).isEqualTo("{\"usd\":100,\"trades\":1}");
        assertThat(asked.at("/2/left").toString()).isEqualTo("{\"usd\":null,\"trades\":2}");
        assertThat(asked.at("/3/actual").decimalValue()).isEqualByComparingTo("0.1");
    }

    @Test
    void pairs_and_derivatives_from_before_they_were_refused_are_told() {
        signedIn.agent();
        Client user = signedIn.user();
        assertThat(home(user).get("storedPairs")).isEmpty();
        UserId id = UserId.of(user.get(APP + "me").json().get("userId").textValue());
        String book = """
                {"name":"My book","kind":"paper","cash":1,"positions":[
                  {"symbol":"BTC-PERP","assetType":"crypto","quantity":1,"price":1},
                  {"symbol":"ETH/BTC","assetType":"crypto","quantity":0,"price":1}]}""";

        service.store.changeAndWait(
                id,
                account -> new Outcome.Recording()
                        .portfolio(Objects.requireNonNull(account.portfolio())
                                .with(
                                        HoldingsDocument.read("main", JsonSamples.object(book), account.now())
                                                .orElseThrow(),
                                        account.now()))
                        .answer(receipts -> true));

        assertThat(home(user).get("storedPairs").toString())
                .isEqualTo("[{\"symbol\":\"BTC-PERP\",\"base\":\"BTC\",\"quote\":null,\"in\":[\"holdings\"]},"
                        + "{\"symbol\":\"ETH/BTC\",\"base\":\"ETH\",\"quote\":\"BTC\",\"in\":[\"holdings\"]}]");
    }

    @Test
    void what_waits_and_what_was_blocked_is_counted() {
        Client agent = signedIn.agent();
        Client user = signedIn.user();
        agent.post(Client.VALIDATE, TOO_MUCH);
        agent.post(Client.PROPOSE, TOO_MUCH.replace("9800.5", "99000"));
        for (int i = 0; i < 7; i++) {
            agent.post(Client.PROPOSE, Expect.TRADE);
        }
        user.post(APP + "requests/7/reject", "");

        JsonNode home = home(user);

        assertThat(home.at("/pending/count").intValue()).isEqualTo(6);
        assertThat(home.at("/pending/atLeast").booleanValue()).isFalse();
        assertThat(home.at("/pending/newest")).hasSize(5);
        assertThat(home.at("/pending/newest/0/id").intValue()).isEqualTo(6);
        assertThat(home.at("/blocked/count").intValue()).isEqualTo(2);
        assertThat(home.at("/blocked/byRule").toString())
                .contains("{\"rule\":\"cash_floor\",\"count\":1}", "{\"rule\":\"insufficient_cash\",\"count\":1}");

        service.clock.advance(Duration.ofHours(25));
        assertThat(home(user).at("/blocked/count").intValue()).isZero();
    }

    private static String limit(String rule, String limit, String actual, String left, String leftUsd) {
        return "{\"rule\":\"" + rule + "\",\"limit\":" + limit + ",\"actual\":" + actual + ",\"headroomPct\":" + left
                + ",\"headroomUsd\":" + leftUsd + "}";
    }

    private static JsonNode home(Client user) {
        return user.get(APP + "home").json();
    }
}
