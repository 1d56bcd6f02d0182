package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many calls for one thing at the same moment. */
@OnEveryDatabase
class ManyProposalsTest extends DatabaseTests {
    private static final int MANY = 40;

    @Test
    void forty_proposals_with_one_idempotency_key_are_one_request_and_thirty_nine_replays() {
        ProposalClient queue = ProposalClient.of(node.caller());
        ApiCaller agent = queue.agent().with("Idempotency-Key", "only-once");

        List<JsonNode> answers = ConcurrentCalls.calls(
                MANY,
                i -> agent.post(API + "trades/propose", trade("buy", "SPY", "tradfi", "100"))
                        .ok()
                        .json());

        assertThat(answers).allMatch(it -> it.get("proposed").booleanValue());
        assertThat(answers.stream()
                        .map(it -> it.get("serviceRequestId").longValue())
                        .distinct())
                .hasSize(1);
        assertThat(answers.stream().filter(ManyProposalsTest::isReplay)).hasSize(MANY - 1);
        assertThat(requests(queue)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"dailyUsdCap, 500, 100, 5", "aumCapUsd, 500, 100, 5", "dailyUsdCap, 99.99, 33.33, 3"})
    void a_cap_is_never_passed_however_many_propose_at_once(String cap, String limit, String amount, int allowed) {
        ProposalClient queue = ProposalClient.of(node.caller(), "{\"" + cap + "\":" + limit + "}");

        List<JsonNode> answers = ConcurrentCalls.calls(
                MANY,
                i -> queue.propose(trade("buy", "SPY", "tradfi", amount)).ok().json());

        assertThat(answers.stream().filter(it -> it.get("proposed").booleanValue()))
                .hasSize(allowed);
        assertThat(answers.stream().filter(it -> !it.get("proposed").booleanValue()))
                .allSatisfy(
                        it -> assertThat(it.get("decision").get("violations").findValuesAsText("rule"))
                                .containsExactly("agent_aum_cap"));
        assertThat(requests(queue)).hasSize(allowed);
    }

    @Test
    void ten_acceptances_at_once_are_one_execution_and_nine_conflicts() {
        ProposalClient queue = ProposalClient.of(node.caller());
        long id = queue.queued("1300");

        List<Seen> answers = ConcurrentCalls.calls(10, i -> queue.accept(id));

        assertThat(answers.stream().filter(seen -> seen.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(seen -> seen.status() == 409))
                .hasSize(9)
                .allSatisfy(seen -> {
                    assertThat(seen.json().get("error").textValue()).isEqualTo("already_resolved");
                    assertThat(seen.json().get("request").get("id").longValue()).isEqualTo(id);
                });
        assertThat(queue.events("broker.trade_observed")).hasSize(1);
        assertThat(queue.portfolio().findValuesAsText("cash")).containsExactly("8700");
    }

    @Test
    void a_yes_and_a_no_at_once_are_one_of_them() {
        ProposalClient queue = ProposalClient.of(node.caller());
        for (int round = 0; round < 5; round++) {
            long id = queue.queued("10");

            List<Seen> answers = ConcurrentCalls.calls(
                    6, i -> i % 2 == 0 ? queue.accept(id) : queue.reject(id, "{\"reason\":\"no\"}"));

            assertThat(answers.stream().filter(seen -> seen.status() == 200)).hasSize(1);
            assertThat(answers.stream().filter(seen -> seen.status() == 409)).hasSize(5);
        }
        long completed = requests(queue).findValuesAsText("status").stream()
                .filter("completed"::equals)
                .count();
        assertThat(queue.events("broker.trade_observed")).hasSize((int) completed);
        assertThat(queue.portfolio().get("snapshot").get("cashValue").decimalValue())
                .isEqualByComparingTo("" + (10_000 - 10 * completed));
    }

    private static boolean isReplay(JsonNode answer) {
        return answer.has("idempotent") && answer.get("idempotent").booleanValue();
    }

    private static JsonNode requests(ProposalClient queue) {
        return queue.household()
                .user()
                .get(APP + "requests?limit=100")
                .ok()
                .json()
                .get("requests");
    }
}
