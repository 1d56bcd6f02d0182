package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The caps of a key are exact over two nodes on one PostgreSQL. */
class CapsOnTwoNodesTest {

    @Test
    void of_sixty_reads_and_decisions_at_once_over_two_nodes_exactly_as_many_as_the_cap_are_let_in(
            @TempDir Path folder) {
        String database = Database.POSTGRES.fresh(folder);
        try (ServiceNode one = ServiceNode.start(folder, database);
                ServiceNode other = ServiceNode.start(folder, database)) {
            ProposalClient queue = ProposalClient.of(one.caller(), "{\"dailyCallCap\":25}");
            ApiCaller elsewhere = queue.agent().at(other.caller().address());

            List<ApiCaller.Seen> answers = ConcurrentCalls.calls(60, i -> {
                ApiCaller agent = i % 2 == 0 ? queue.agent() : elsewhere;
                return switch (i % 3) {
                    case 0 -> agent.get(API + "whoami");
                    case 1 -> agent.get(API + "mandate");
                    default -> agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"));
                };
            });

            assertThat(answers.stream().filter(it -> it.status() == 200)).hasSize(25);
            assertThat(answers.stream().filter(it -> it.status() == 429)).hasSize(35);
        }
    }

    @Test
    void of_forty_proposals_at_once_over_two_nodes_no_more_wait_than_may(@TempDir Path folder) {
        String database = Database.POSTGRES.fresh(folder);
        Map<String, String> limits = Map.of("POLICY_MAX_PENDING_PER_KEY", "7", "POLICY_DECISIONS_PER_DAY", "12");
        try (ServiceNode one = ServiceNode.start(folder, database, limits);
                ServiceNode other = ServiceNode.start(folder, database, limits)) {
            ProposalClient queue = ProposalClient.of(one.caller());
            ApiCaller elsewhere = queue.agent().at(other.caller().address());
            List<ApiCaller.Seen> proposals = ConcurrentCalls.calls(
                    40,
                    i -> (i % 2 == 0 ? queue.agent() : elsewhere)
                            .post(API + "trades/propose", trade("buy", "SPY", "tradfi", "1")));
            List<ApiCaller.Seen> decisions = ConcurrentCalls.calls(
                    20,
                    i -> (i % 2 == 0 ? queue.agent() : elsewhere)
                            .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1")));

            assertThat(proposals.stream().filter(it -> it.status() == 200)).hasSize(7);
            assertThat(decisions.stream().filter(it -> it.status() == 200)).hasSize(5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dailyUsdCap", "aumCapUsd"})
    void of_forty_proposals_at_once_over_two_nodes_exactly_five_fit(String cap, @TempDir Path folder) {
        String database = Database.POSTGRES.fresh(folder);
        try (ServiceNode one = ServiceNode.start(folder, database);
                ServiceNode other = ServiceNode.start(folder, database)) {
            ProposalClient queue = ProposalClient.of(one.caller(), "{\"" + cap + "\":500}");
            ApiCaller elsewhere = queue.agent().at(other.caller().address());

            List<JsonNode> answers = ConcurrentCalls.calls(
                    40,
                    i -> (i % 2 == 0 ? queue.agent() : elsewhere)
                            .post(API + "trades/propose", trade("buy", "SPY", "tradfi", "100"))
                            .ok()
                            .json());

            assertThat(answers.stream().filter(it -> it.get("proposed").booleanValue()))
                    .hasSize(5);
        }
    }
}
