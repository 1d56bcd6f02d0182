package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.BOOK;
import static dev.agentpolicy.adapter.http.SignedIn.CLOSED_BOOK;
import static dev.agentpolicy.adapter.http.SignedIn.CONNECT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.ProposeTest;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.ScriptedBroker;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections to brokers, orders that take time, and what comes of them (docs/reference/custodians.md). */
class CustodiansTest {
    private static final String ALPACA = APP + "custodians/alpaca";

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private final Client user = signedIn.user();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_connection_is_listed_beside_paper_custodians_without_its_key() {
        user.put(APP + "custodians/main", BOOK);

        Seen connected = user.post(ALPACA + "/connect", CONNECT);

        assertThat(connected.status()).isEqualTo(201);
        assertThat(connected.json()).isEqualTo(Client.json("""
                        {"id":"alpaca","name":"My broker","kind":"alpaca","environment":"paper","status":"connected",
                         "lastSyncedAt":"2026-11-23T15:04:05.123456Z"}"""));
        JsonNode listed = user.get(APP + "custodians").json().get("custodians");
        assertThat(listed).hasSize(2);
        assertThat(ProposeTest.names(listed.get(0))).containsExactly("id", "name", "kind", "status", "lastSyncedAt");
        assertThat(listed.get(1)).isEqualTo(connected.json());
        assertThat(user.get(APP + "portfolio").json().at("/custodians/1/cash").textValue())
                .isEqualTo("1000");
    }

    @Test
    void a_connection_may_get_another_key() {
        user.post(ALPACA + "/connect", CONNECT);

        Seen renewed = user.post(ALPACA + "/connect", CONNECT.replace("My broker", "Renamed"));

        assertThat(renewed.status()).isEqualTo(201);
        assertThat(renewed.json().get("name").textValue()).isEqualTo("Renamed");
    }

    @Test
    void neither_the_id_nor_the_secret_of_a_key_is_in_any_answer_or_log() {
        String refused = CONNECT.replace("key-id-1", ScriptedBroker.REFUSED_KEY);
        Seen[] answers = {
            user.post(ALPACA + "/connect", refused),
            user.post(ALPACA + "/connect", CONNECT.replace("alpaca", "secret-1")),
            user.post(ALPACA + "/connect", CONNECT.replace("\"paper\"", "\"key-id-1\"")),
            user.post(ALPACA + "/connect", CONNECT.replace("\"secret-1\"", "[\"secret-1\"]")),
            user.post(ALPACA + "/connect", CONNECT.replace("\"secret-1\"", "\"secret-1\\u0000\"")),
            user.post(ALPACA + "/connect", CONNECT.replace("}", ",\"more\":\"secret-1\"}")),
            user.post(ALPACA + "/connect", CONNECT),
            user.get(APP + "custodians"),
            user.post(ALPACA + "/sync", ""),
            user.get(APP + "portfolio"),
            user.get(APP + "events"),
            user.get(APP + "reconciliation")
        };

        for (Seen answer : answers) {
            assertThat(answer.text()).doesNotContain("secret-1").doesNotContain("key-id-1");
        }
        assertThat(answers).extracting(Seen::status).startsWith(422, 400, 400, 400, 400, 400, 201, 200);
        assertThat(service.logged.lines()).noneMatch(line -> line.contains("secret-1"));
    }

    @Test
    void a_key_that_the_broker_refuses_is_not_stored() {
        Expect.error(
                user.post(ALPACA + "/connect", CONNECT.replace("key-id-1", ScriptedBroker.REFUSED_KEY)),
                422,
                "{\"error\":\"custodian_refused\",\"message\":\"The broker refuses this key.\"}");

        assertThat(service.credentials.all()).isEmpty();
        assertThat(user.get(APP + "custodians").json().get("custodians")).isEmpty();
    }

    @Test
    void a_broker_that_does_not_answer_is_unavailable_and_nothing_is_stored() {
        service.broker.away(true);

        assertThat(user.post(ALPACA + "/connect", CONNECT).status()).isEqualTo(503);
        assertThat(service.credentials.all()).isEmpty();
    }

    @Test
    void an_id_belongs_to_one_kind_of_custodian() {
        user.put(APP + "custodians/main", BOOK);
        user.post(ALPACA + "/connect", CONNECT);

        for (Seen taken : new Seen[] {
            user.post(APP + "custodians/main/connect", CONNECT),
            user.put(ALPACA, BOOK),
            user.post(
                    ALPACA + "/trades",
                    "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":500}")
        }) {
            assertThat(taken.status()).isEqualTo(409);
            assertThat(taken.json().get("error").textValue()).isEqualTo("custodian_exists");
        }
    }

    @Test
    void a_custodian_that_was_not_heard_of_for_too_long_blocks_every_decision_and_everything_says_so() {
        Client agent = signedIn.agent();
        user.post(ALPACA + "/connect", CONNECT);
        service.broker.away(true);
        service.clock.advance(TestService.MAX_AGE.plusSeconds(1));
        String stale = "{\"custodian\":\"alpaca\",\"name\":\"My broker\","
                + "\"lastSyncedAt\":\"2026-11-23T15:04:05.123456Z\"}";

        JsonNode decision = agent.post(VALIDATE, TRADE).json();
        JsonNode mandate = agent.get("/api/agent/v1/mandate").json();
        JsonNode holdings = agent.get("/api/agent/v1/holdings").json();

        assertThat(decision.at("/violations/0/rule").textValue()).isEqualTo("no_portfolio_snapshot");
        assertThat(decision.at("/violations/0/message").textValue())
                .isEqualTo("My broker was last heard of 15 minutes ago.");
        for (JsonNode answer : new JsonNode[] {
            decision,
            mandate,
            holdings,
            user.get(APP + "portfolio").json(),
            agent.get("/api/agent/v1/audit").json().get(0)
        }) {
            assertThat(answer.get("snapshot").isNull()).isTrue();
            assertThat(answer.get("stale")).isEqualTo(Client.json(stale));
        }
        assertThat(mandate.get("utilization").isNull()).isTrue();
        JsonNode synced = user.post(ALPACA + "/sync", "").json();
        assertThat(synced.get("status").textValue()).isEqualTo("stale");
        assertThat(synced.get("error").textValue()).isEqualTo("The broker does not answer.");

        service.broker.away(false);
        assertThat(user.post(ALPACA + "/sync", "").json().get("status").textValue())
                .isEqualTo("connected");
        assertThat(agent.post(VALIDATE, TRADE).json().has("stale")).isFalse();
        assertThat(agent.get("/api/agent/v1/holdings").json().has("stale")).isFalse();
    }

    @Test
    void a_sync_that_changes_nothing_still_tells_when_the_custodian_was_heard_of() {
        user.post(ALPACA + "/connect", CONNECT);
        service.clock.advance(Duration.ofMinutes(1));

        user.post(ALPACA + "/sync", "");

        assertThat(user.get(APP + "portfolio")
                        .json()
                        .at("/custodians/0/syncedAt")
                        .textValue())
                .isEqualTo("2026-11-23T15:05:05.123456Z");
    }

    @Test
    void an_order_at_a_closed_market_is_open_and_can_be_taken_back() {
        Client agent = signedIn.agent();
        user.put(APP + "custodians/main", CLOSED_BOOK);
        agent.post(PROPOSE, TRADE);
        Seen early = user.post(APP + "requests/1/cancel", "");

        JsonNode accepted = user.post(APP + "requests/1/accept", "").json();
        JsonNode holdings = user.get(APP + "portfolio").json();
        Seen removing = user.send("DELETE", APP + "custodians/main", BodyPublishers.noBody());
        JsonNode canceled = user.post(APP + "requests/1/cancel", "").json();

        assertThat(early.status()).isEqualTo(409);
        assertThat(early.json().get("error").textValue()).isEqualTo("not_accepted");
        assertThat(early.json().at("/request/status").textValue()).isEqualTo("pending");
        assertThat(accepted.get("status").textValue()).isEqualTo("pending");
        assertThat(accepted.at("/execution/status").textValue()).isEqualTo("in_progress");
        assertThat(accepted.at("/execution/state").textValue()).isEqualTo("open");
        assertThat(holdings.at("/custodians/0/openOrders"))
                .isEqualTo(Client.json(
                        "[{\"action\":\"buy\",\"symbol\":\"ETH\",\"assetType\":\"crypto\",\"restUsd\":\"100\"}]"));
        assertThat(holdings.at("/custodians/0/cash").textValue()).isEqualTo("10000");
        assertThat(holdings.at("/snapshot/cashValue").decimalValue()).isEqualTo("9900");
        assertThat(removing.json().get("error").textValue()).isEqualTo("order_under_way");
        assertThat(canceled.get("status").textValue()).isEqualTo("rejected");
        assertThat(canceled.get("reason").textValue()).isEqualTo("canceled");
        assertThat(canceled.get("execution").isNull()).isTrue();
        assertThat(user.post(APP + "requests/1/cancel", "").json().get("error").textValue())
                .isEqualTo("already_resolved");
        assertThat(user.get(APP + "portfolio").json().at("/custodians/0").has("openOrders"))
                .isFalse();
    }

    @Test
    void an_order_that_is_filled_in_part_and_taken_back_is_completed_with_the_part() {
        Client agent = signedIn.agent();
        user.put(APP + "custodians/main", CLOSED_BOOK.replace("\"isOpen\":false", "\"fillShare\":\"0.4\""));
        agent.post(PROPOSE, TRADE);
        user.post(APP + "requests/1/accept", "");

        JsonNode canceled = user.post(APP + "requests/1/cancel", "").json();

        assertThat(canceled.get("status").textValue()).isEqualTo("completed");
        assertThat(canceled.at("/execution/status").textValue()).isEqualTo("partially_filled");
        assertThat(canceled.at("/execution/amountUsd").decimalValue()).isEqualTo("40");
        assertThat(canceled.at("/execution/cancelRequested").booleanValue()).isTrue();
        assertThat(agent.get("/api/agent/v1/audit")
                        .json()
                        .findValue("serviceRequest")
                        .get("execution"))
                .isEqualTo(canceled.get("execution"));
    }

    @Test
    void an_order_that_the_custodian_rejects_has_failed_and_waits_for_the_user_again() {
        Client agent = signedIn.agent();
        user.put(APP + "custodians/main", CLOSED_BOOK.replace("\"isOpen\":false", "\"rejects\":[\"eth-usd\"]"));
        agent.post(PROPOSE, TRADE);

        JsonNode refused = user.post(APP + "requests/1/accept", "").json();

        assertThat(refused.get("status").textValue()).isEqualTo("pending");
        assertThat(refused.get("execution"))
                .isEqualTo(Client.json("{\"status\":\"failed\",\"error\":\"My book rejects orders for ETH.\"}"));
    }

    @Test
    void an_asset_without_a_price_is_not_traded() {
        Client agent = signedIn.agent();
        user.put(APP + "custodians/main", BOOK.replace(",\"prices\":{\"ETH\":2500}", ""));
        agent.post(PROPOSE, TRADE);

        assertThat(user.post(APP + "requests/1/accept", "")
                        .json()
                        .at("/execution/error")
                        .textValue())
                .isEqualTo("The paper custodian has no price for ETH; give it one.");
    }

    @Test
    void wrong_prices_and_markets_are_refused_with_each_of_their_fields() {
        Expect.invalidPayload(
                user.put(
                        APP + "custodians/main",
                        BOOK.replace(
                                "{\"ETH\":2500}",
                                "{\"E T\":1,\"SOL\":0,\"ADA\":\"x\",\"ltc\":1,\"LTC\":2},"
                                        + "\"market\":{\"isOpen\":1,\"fillShare\":0,\"rejects\":[\"a b\"]}")),
                "",
                "prices.E T must be 1 to 32 of A-Z a-z 0-9 . - / _.",
                "prices.SOL must be above 0.",
                "prices.ADA must be a number.",
                "prices lists LTC twice; symbols are compared in upper case.",
                "market.isOpen must be true or false.",
                "market.fillShare must be above 0.",
                "market.rejects[0] must be 1 to 32 of A-Z a-z 0-9 . - / _.");
    }

    @Test
    void the_reconciliation_sets_what_was_accepted_beside_what_was_filled() {
        Client agent = signedIn.agent();
        agent.post(PROPOSE, TRADE);
        agent.post(PROPOSE, TRADE);
        user.post(APP + "requests/1/accept", "");
        user.post(APP + "requests/2/accept", "");
        user.post(
                APP + "custodians/main/trades",
                "{\"action\":\"sell\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":500}");

        JsonNode first = user.get(APP + "reconciliation?limit=1").json();
        JsonNode second = user.get(APP + "reconciliation?limit=1&cursor="
                        + first.get("nextCursor").textValue())
                .json();

        JsonNode request = first.at("/requests/0");
        assertThat(request.get("serviceRequestId").intValue()).isEqualTo(2);
        assertThat(request.get("state").textValue()).isEqualTo("filled");
        assertThat(request.get("allowedUsd").decimalValue()).isEqualTo("100");
        assertThat(request.get("filledUsd").decimalValue()).isEqualTo("100");
        assertThat(request.get("deviationUsd").decimalValue()).isZero();
        assertThat(request.get("fills").findValuesAsText("symbol")).containsExactly("ETH");
        assertThat(first.get("unattested").findValuesAsText("symbol")).containsExactly("SPY");
        assertThat(second.get("requests").findValuesAsText("serviceRequestId")).containsExactly("1");
        assertThat(second.get("nextCursor").isNull()).isTrue();
        for (String wrong : new String[] {"limit=0", "limit=101", "cursor=x", "cursor=0"}) {
            assertThat(user.get(APP + "reconciliation?" + wrong).status()).isEqualTo(400);
        }
    }

    @Test
    void a_removed_custodian_is_gone_with_its_key() {
        user.post(ALPACA + "/connect", CONNECT);

        Seen removed = user.send("DELETE", ALPACA, BodyPublishers.noBody());

        assertThat(removed.status()).isEqualTo(204);
        assertThat(removed.text()).isEmpty();
        assertThat(service.credentials.all()).isEmpty();
        assertThat(user.get(APP + "custodians").json().get("custodians")).isEmpty();
        assertThat(user.send("DELETE", ALPACA, BodyPublishers.noBody()).status())
                .isEqualTo(404);
        assertThat(user.post(ALPACA + "/sync", "").status()).isEqualTo(404);
    }
}
