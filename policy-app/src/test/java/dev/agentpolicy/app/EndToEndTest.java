package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import org.junit.jupiter.api.Test;

/** What a user and an agent do with the service, from signing up to reading the log. */
@OnEveryDatabase
class EndToEndTest extends DatabaseTests {

    @Test
    void a_user_signs_up_and_an_agent_reads_the_mandate() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent();

        JsonNode whoami = agent.get(API + "whoami").ok().json();
        JsonNode mandate = agent.get(API + "mandate").ok().json();
        JsonNode holdings = agent.get(API + "holdings").ok().json();

        assertThat(whoami.get("userId").textValue()).isEqualTo(household.userId());
        assertThat(whoami.get("keyType").textValue()).isEqualTo("live");
        assertThat(mandate.get("ipsVersion").intValue()).isEqualTo(1);
        assertThat(mandate.get("snapshot").get("totalValue").decimalValue()).isEqualByComparingTo("100000");
        assertThat(mandate.get("utilization").get("cryptoUsedPct").decimalValue())
                .isEqualByComparingTo("0.4");
        assertThat(holdings.get("custodians").get(0).get("positions").size()).isEqualTo(3);
    }

    @Test
    void every_decision_is_in_the_audit_feed_and_the_chain() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent();

        Seen allowed = agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1000"))
                .ok();
        Seen blocked = agent.post(API + "policy/validate", trade("sell", "BTC", "crypto", "15000"))
                .ok();
        Seen batch = agent.post(
                        API + "policy/validate-batch",
                        "{\"trades\":[" + trade("buy", "AGG", "tradfi", "10") + ",{\"action\":\"hold\"}]}")
                .ok();

        assertThat(allowed.json().get("allowed").booleanValue()).isTrue();
        assertThat(blocked.json().get("violations").findValuesAsText("rule"))
                .containsExactly("crypto_min_allocation", "asset_authority_protect_sell");
        assertThat(batch.json().get("results").findValuesAsText("rule"))
                .hasSize(4)
                .containsOnly("invalid_payload");
        JsonNode audit = agent.get(API + "audit").ok().json();
        assertThat(audit.findValuesAsText("kind")).containsExactly("validate", "validate", "validate", "validate");
        assertThat(audit.findValuesAsText("eventHash"))
                .contains(
                        batch.header("X-Policy-Event-Hash"),
                        blocked.header("X-Policy-Event-Hash"),
                        allowed.header("X-Policy-Event-Hash"));
        ChainPages chain = ChainPages.of(agent);
        assertThat(chain.rows("guardrail.decision")).hasSize(4);
        assertThat(chain.hashes())
                .containsEntry(
                        Long.valueOf(blocked.header("X-Policy-Event-Seq")), blocked.header("X-Policy-Event-Hash"));
    }

    @Test
    void a_proposal_is_accepted_executed_and_seen_by_the_agent() throws Exception {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent();

        JsonNode proposed = agent.post(
                        API + "trades/propose",
                        "{\"action\":\"buy\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1300,"
                                + "\"rationale\":\"Back to target\"}")
                .ok()
                .json();
        long id = proposed.get("serviceRequestId").longValue();
        JsonNode queued = household.user().get(APP + "requests/" + id).ok().json();
        JsonNode accepted = household
                .user()
                .post(APP + "requests/" + id + "/accept", "")
                .ok()
                .json();

        assertThat(proposed.get("proposed").booleanValue()).isTrue();
        assertThat(queued.get("status").textValue()).isEqualTo("pending");
        assertThat(queued.get("rationale").textValue()).isEqualTo("Back to target");
        assertThat(accepted.get("status").textValue()).isEqualTo("completed");
        assertThat(accepted.get("execution").get("quantity").decimalValue()).isEqualByComparingTo("2");
        assertThat(household.user().post(APP + "requests/" + id + "/accept", "").status())
                .isEqualTo(409);
        assertThat(agent.get(API + "holdings")
                        .ok()
                        .json()
                        .get("snapshot")
                        .get("cashValue")
                        .decimalValue())
                .isEqualByComparingTo("8700");
        JsonNode audit = agent.get(API + "audit").ok().json();
        assertThat(audit.findValuesAsText("kind")).containsExactly("attestation", "propose");
        assertThat(audit.get(1).get("serviceRequest").get("status").textValue()).isEqualTo("completed");
        ChainPages chain = ChainPages.of(agent);
        assertThat(chain.rows("broker.trade_observed")).hasSize(1);
        assertThat(chain.verdicts(folder)).allMatch(verdict -> verdict.startsWith("ok "), "all verifiers say ok");
    }

    @Test
    void a_rejected_proposal_carries_its_reason() {
        ProposalClient queue = ProposalClient.of(node.caller());

        queue.reject(queue.queued("1000"), "{\"reason\":\"Not now\"}").ok();

        JsonNode request = queue.audit().get(1).get("serviceRequest");
        assertThat(request.get("status").textValue()).isEqualTo("rejected");
        assertThat(request.get("reason").textValue()).isEqualTo("Not now");
    }

    @Test
    void a_blocked_proposal_creates_no_request() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());

        JsonNode blocked = household
                .agent()
                .post(API + "trades/propose", trade("buy", "BTC", "crypto", "20000"))
                .ok()
                .json();

        assertThat(blocked.get("proposed").booleanValue()).isFalse();
        assertThat(blocked.get("decision").get("violations").findValuesAsText("rule"))
                .containsExactly("crypto_max_allocation", "insufficient_cash");
        assertThat(household.user().get(APP + "requests").ok().json().get("requests"))
                .isEmpty();
    }

    @Test
    void the_same_idempotency_key_answers_the_same_request() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent().with("Idempotency-Key", "one");

        JsonNode first = agent.post(API + "trades/propose", trade("buy", "SPY", "tradfi", "1000"))
                .ok()
                .json();
        JsonNode second = agent.post(API + "trades/propose", trade("buy", "SPY", "tradfi", "1000"))
                .ok()
                .json();

        assertThat(second.get("serviceRequestId")).isEqualTo(first.get("serviceRequestId"));
        assertThat(second.get("idempotent").booleanValue()).isTrue();
        assertThat(household.user().get(APP + "requests").ok().json().get("requests"))
                .hasSize(1);
    }

    @Test
    void a_revoked_key_and_the_old_secret_of_a_rotated_one_are_refused_at_once() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        JsonNode minted = household.mint("live");
        ApiCaller agent = household.agent(minted);
        String keys = APP + "keys/" + minted.get("agentKeyId").textValue();
        agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1")).ok();

        JsonNode rotated = household.user().post(keys + "/rotate", "").ok().json();
        ApiCaller renewed = household.agent(rotated);

        assertThat(agent.get(API + "whoami").status()).isEqualTo(401);
        assertThat(agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                        .status())
                .isEqualTo(401);
        renewed.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                .ok();
        household.user().delete(keys).ok();
        assertThat(renewed.get(API + "whoami").status()).isEqualTo(401);
        assertThat(renewed.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void usage_counts_what_the_agent_called() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent();
        agent.get(API + "whoami").ok();
        agent.get(API + "audit?limit=0");

        JsonNode usage = agent.get(API + "usage").ok().json();

        assertThat(usage.get("totals").get("total").intValue()).isEqualTo(2);
        assertThat(usage.get("totals").get("errors").intValue()).isEqualTo(1);
        assertThat(usage.get("recent").findValuesAsText("status")).containsExactly("400", "200");
    }

    @Test
    void an_agent_of_one_user_sees_nothing_of_another() {
        long id = ProposalClient.of(node.caller()).queued("1000");
        TestHousehold other = TestHousehold.withPolicy(node.caller());

        assertThat(other.user().get(APP + "requests/" + id).status()).isEqualTo(404);
        assertThat(other.user().post(APP + "requests/" + id + "/accept", "").status())
                .isEqualTo(404);
        assertThat(other.agent().get(API + "audit").ok().json()).isEmpty();
    }
}
