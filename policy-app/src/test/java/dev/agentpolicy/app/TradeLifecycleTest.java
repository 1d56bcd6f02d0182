package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A trade from its proposal to its end, seen by its agent and by its user. */
@OnEveryDatabase
class TradeLifecycleTest extends DatabaseTests {
    private static final String POSITIONS = """
            [{"symbol":"BTC","assetType":"crypto","quantity":0.4,"price":50000},
             {"symbol":"SPY","assetType":"tradfi","quantity":100,"price":650},
             {"symbol":"AGG","assetType":"tradfi","quantity":50,"price":100}]""";

    @Test
    void a_completed_request_has_its_execution() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("1300");
        JsonNode pending = queue.request(id);

        JsonNode completed = queue.accept(id).ok().json();

        assertThat(members(pending))
                .containsExactly(
                        "id",
                        "type",
                        "status",
                        "reason",
                        "agentKeyId",
                        "agentName",
                        "trade",
                        "rationale",
                        "ipsVersion",
                        "decision",
                        "createdAt",
                        "expiresAt",
                        "resolvedAt",
                        "eventSeq",
                        "execution");
        assertThat(pending.get("type").textValue()).isEqualTo("agent_proposed_trade");
        assertThat(pending.get("agentName").textValue()).isEqualTo("Robot");
        assertThat(pending.get("execution").isNull()).isTrue();
        assertThat(pending.get("resolvedAt").isNull()).isTrue();
        assertThat(completed).isEqualTo(queue.request(id));
        JsonNode execution = completed.get("execution");
        assertThat(members(execution))
                .containsExactly(
                        "status",
                        "custodian",
                        "clientOrderId",
                        "externalId",
                        "state",
                        "orderedUsd",
                        "quantity",
                        "price",
                        "amountUsd",
                        "executedAt",
                        "cancelRequested",
                        "error",
                        "referencePrice",
                        "referenceAt",
                        "limitPrice");
        assertThat(execution.get("status").textValue()).isEqualTo("filled");
        assertThat(execution.get("custodian").textValue()).isEqualTo("paper");
        assertThat(execution.get("clientOrderId").textValue()).startsWith("request-" + id + "-1-");
        assertThat(execution.get("externalId").textValue())
                .isEqualTo("paper-" + execution.get("clientOrderId").textValue());
        assertThat(execution.get("quantity").decimalValue()).isEqualByComparingTo("2");
        assertThat(execution.get("price").decimalValue()).isEqualByComparingTo("650");
        assertThat(execution.get("amountUsd").decimalValue()).isEqualByComparingTo("1300");
        assertThat(cash(queue, "paper")).isEqualTo("8700");
        assertThat(queue.portfolio().findValuesAsText("quantity")).containsExactly("0.4", "102", "50");
    }

    @Test
    void the_agent_reads_the_outcome_in_its_audit_feed_and_the_log() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("1300");
        assertThat(status(queue.audit().get(0))).isEqualTo("pending");

        queue.accept(id).ok();

        JsonNode attested = queue.audit().get(0);
        assertThat(attested.get("kind").textValue()).isEqualTo("attestation");
        assertThat(attested.get("actor").textValue()).isEqualTo("user");
        assertThat(attested.get("allowed").booleanValue()).isTrue();
        assertThat(status(attested)).isEqualTo("completed");
        assertThat(status(queue.audit().get(1))).isEqualTo("completed");
        assertThat(queue.events("broker.trade_observed")).hasSize(1);
        JsonNode observed = queue.events("broker.trade_observed").get(0).get("payload");
        assertThat(observed.get("source").textValue()).isEqualTo("service_initiated");
        assertThat(observed.get("serviceRequestId").longValue()).isEqualTo(id);
        assertThat(observed.get("symbol").textValue()).isEqualTo("SPY");
        assertThat(observed.get("amountUsd").textValue()).isEqualTo("1300");
    }

    @Test
    void a_rejection_is_a_decision_of_the_user_and_moves_nothing() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("1300");

        JsonNode rejected = queue.reject(id, "{\"reason\":\"Not now\"}").ok().json();

        assertThat(rejected.get("status").textValue()).isEqualTo("rejected");
        assertThat(rejected.get("reason").textValue()).isEqualTo("Not now");
        assertThat(rejected.get("execution").isNull()).isTrue();
        assertThat(rejected.get("resolvedAt").isTextual()).isTrue();
        JsonNode attested = queue.audit().get(0);
        assertThat(attested.get("allowed").booleanValue()).isFalse();
        assertThat(attested.get("reason").textValue()).isEqualTo("Rejected by the user: Not now");
        assertThat(attested.get("serviceRequest").get("reason").textValue()).isEqualTo("Not now");
        assertThat(cash(queue, "paper")).isEqualTo("10000");
        assertThat(queue.events("broker.trade_observed")).isEmpty();
    }

    @Test
    void a_trade_that_the_current_policy_blocks_is_not_executed_and_stays_pending() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("1300");
        String ips = TestHousehold.demo("ips.json");
        queue.household()
                .user()
                .put(APP + "ips", ips.replace("[\"buy\", \"sell\"]", "[\"sell\"]"))
                .ok();

        Seen blocked = queue.accept(id);

        assertThat(blocked.status()).isEqualTo(409);
        assertThat(blocked.json().get("error").textValue()).isEqualTo("policy_blocked");
        assertThat(blocked.json().get("violations").findValuesAsText("rule")).containsExactly("action_not_allowed");
        assertThat(queue.request(id).get("status").textValue()).isEqualTo("pending");
        assertThat(queue.audit().get(0).get("allowed").booleanValue()).isFalse();
        queue.household().user().put(APP + "ips", ips).ok();
        assertThat(queue.accept(id).ok().json().get("status").textValue()).isEqualTo("completed");
    }

    @Test
    void a_resolved_request_is_answered_with_its_record() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long completed = queue.queued("1300");
        long rejected = queue.queued("1300");
        queue.accept(completed).ok();
        queue.reject(rejected, "{}").ok();

        for (long id : new long[] {completed, rejected}) {
            for (Seen again : List.of(queue.accept(id), queue.reject(id, "{\"reason\":\"again\"}"))) {
                assertThat(again.status()).isEqualTo(409);
                assertThat(again.json().get("error").textValue()).isEqualTo("already_resolved");
                assertThat(again.json().get("request")).isEqualTo(queue.request(id));
            }
        }
    }

    @Test
    void a_user_cannot_read_or_attest_requests_of_another() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("1300");
        ProposalClient stranger = ProposalClient.of(node.caller());

        for (String path :
                List.of(ProposalClient.path(id), ProposalClient.path(id + 1_000_000), APP + "requests/first")) {
            ApiCaller user = stranger.household().user();
            assertThat(Stream.of(user.get(path), user.post(path + "/accept", ""), user.post(path + "/reject", "{}"))
                            .map(seen -> seen.status() + " "
                                    + seen.json().get("error").textValue()))
                    .containsOnly("404 not_found");
        }
        assertThat(queue.request(id).get("status").textValue()).isEqualTo("pending");
    }

    @Test
    void a_trade_that_no_custodian_can_execute_can_be_accepted_later() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("4000");
        queue.hold("paper", "3000", POSITIONS);
        queue.hold("second", "3500", "[]");
        queue.hold("third", "3500", "[]");

        JsonNode failed = queue.accept(id).ok().json();
        queue.hold("third", "7000", "[]");
        JsonNode filled = queue.accept(id).ok().json();

        assertThat(failed.get("status").textValue()).isEqualTo("pending");
        assertThat(members(failed.get("execution"))).containsExactly("status", "error");
        assertThat(failed.get("execution").get("status").textValue()).isEqualTo("failed");
        assertThat(failed.get("execution").get("error").textValue())
                .isEqualTo("No single custodian has 4000 USD in cash for this buy.");
        assertThat(filled.get("execution").get("custodian").textValue()).isEqualTo("third");
        assertThat(cash(queue, "third")).isEqualTo("3000");
        assertThat(cash(queue, "paper")).isEqualTo("3000");
    }

    @Test
    void the_users_own_trades_are_observed_and_can_drift() {
        ProposalClient queue = ProposalClient.of(node.caller());

        ownTrade(queue, "paper", "buy", "SPY", "10", "600").ok();
        ownTrade(queue, "paper", "sell", "SPY", "10", "600").ok();
        Seen unknown = ownTrade(queue, "nowhere", "buy", "SPY", "1", "600");
        Seen refused = ownTrade(queue, "paper", "sell", "SPY", "1000", "600");

        assertThat(queue.events("broker.trade_observed").findValuesAsText("source"))
                .containsExactly("user_initiated", "user_initiated");
        assertThat(queue.events("policy.drift_detected").findValuesAsText("rule"))
                .containsExactly("cash_floor");
        assertThat(queue.events("policy.drift_cleared").findValuesAsText("rule"))
                .containsExactly("cash_floor");
        assertThat(cash(queue, "paper")).isEqualTo("10000");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.json().get("error").textValue()).isEqualTo("not_found");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("not_executed");
        assertThat(queue.portfolio().get("custodians")).hasSize(1);
    }

    @Test
    void the_mandate_shows_what_is_left_today() {
        ProposalClient queue =
                ProposalClient.of(node.caller(), "{\"dailyCallCap\":10,\"dailyUsdCap\":2000.5,\"aumCapUsd\":1500}");
        queue.agent()
                .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "9"))
                .ok();
        queue.accept(queue.queued("500")).ok();
        queue.reject(queue.queued("300"), "{}").ok();
        queue.queued("200");

        JsonNode policy = queue.agent().get(API + "mandate").ok().json().get("keyPolicy");

        assertThat(policy.get("callsRemainingToday").intValue()).isEqualTo(5);
        assertThat(policy.get("usdRemainingToday").decimalValue()).isEqualByComparingTo("1000.5");
        assertThat(policy.get("aumRemainingUsd").decimalValue()).isEqualByComparingTo("800");
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site",
        "Origin, https://elsewhere.example",
        "Origin, null"
    })
    void another_site_cannot_attest_with_the_users_cookie(String header, String value) {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("1300");
        ApiCaller page = queue.household().user().with(header, value);

        assertThat(page.post(ProposalClient.path(id) + "/accept", "").status()).isEqualTo(403);
        assertThat(page.post(ProposalClient.path(id) + "/reject", "{}").status())
                .isEqualTo(403);
        assertThat(queue.request(id).get("status").textValue()).isEqualTo("pending");
        ApiCaller own = queue.household().user().with("Origin", node.caller().address());
        assertThat(own.with("Sec-Fetch-Site", "same-origin")
                        .post(ProposalClient.path(id) + "/accept", "")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void an_agent_key_cannot_call_the_app_api_nor_a_session_the_agent_api() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("1300");
        ApiCaller agent = queue.agent();

        assertThat(Stream.of(
                                agent.get(APP + "requests"),
                                agent.get(ProposalClient.path(id)),
                                agent.post(ProposalClient.path(id) + "/accept", ""),
                                agent.post(ProposalClient.path(id) + "/reject", "{}"),
                                agent.put(APP + "ips", TestHousehold.demo("ips.json")),
                                agent.post(APP + "keys", "{}"),
                                agent.get(APP + "keys"),
                                queue.household().user().get(API + "whoami"),
                                queue.household().user().post(API + "trades/propose", "{}"))
                        .map(Seen::status))
                .containsOnly(401);
        assertThat(queue.request(id).get("status").textValue()).isEqualTo("pending");
    }

    private static Seen ownTrade(
            ProposalClient queue, String custodian, String action, String symbol, String quantity, String price) {
        return queue.household().user().post(APP + "custodians/" + custodian + "/trades", """
                        {"action":"%s","symbol":"%s","assetType":"tradfi","quantity":%s,"price":"%s"}""".formatted(
                        action, symbol, quantity, price));
    }

    private static String cash(ProposalClient queue, String custodian) {
        for (JsonNode holdings : queue.portfolio().get("custodians")) {
            if (holdings.get("id").textValue().equals(custodian)) {
                return holdings.get("cash").textValue();
            }
        }
        throw new AssertionError("No custodian " + custodian);
    }

    private static String status(JsonNode row) {
        return row.get("serviceRequest").get("status").textValue();
    }

    private static List<String> members(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
