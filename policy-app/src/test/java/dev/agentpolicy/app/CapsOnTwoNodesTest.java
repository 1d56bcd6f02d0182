package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The caps of a key, the flow limits of a policy and approvals are exact over two nodes on one PostgreSQL. */
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

    /** Two agents, with reads and validations in between that use the cached account. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"maxUsd\":1200",
                "\"maxTrades\":12",
                "\"maxTrades\":12,\"per\":\"asset\"",
                "\"maxUsd\":0,\"effect\":\"require_approval\""
            })
    void of_proposals_by_64_connections_over_two_nodes_exactly_twelve_pass_a_flow_or_an_approval(
            String maximum, @TempDir Path folder) {
        String database = Database.POSTGRES.fresh(folder);
        try (ServiceNode one = ServiceNode.start(folder, database);
                ServiceNode other = ServiceNode.start(folder, database)) {
            ProposalClient queue = ProposalClient.of(one.caller());
            limited(queue.household(), "{\"id\":\"f\",\"kind\":\"flow\",\"windowMinutes\":1440," + maximum + "}");
            if (maximum.contains("approval")) {
                Instant until = Instant.now().plus(Duration.ofHours(1));
                queue.household()
                        .user()
                        .post(APP + "approvals", "{\"ruleId\":\"f\",\"maxUses\":12,\"until\":\"" + until + "\"}")
                        .ok();
            }
            ApiCaller second = queue.household().agent();
            List<ApiCaller> agents = List.of(
                    queue.agent(),
                    queue.agent().at(other.caller().address()),
                    second,
                    second.at(other.caller().address()));

            List<JsonNode> answers = ConcurrentCalls.calls(64, i -> {
                ApiCaller agent = agents.get(i % 4);
                agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "100"))
                        .ok();
                return agent.post(API + "trades/propose", trade("buy", "SPY", "tradfi", "100"))
                        .ok()
                        .json();
            });

            assertThat(answers.stream().filter(it -> it.get("proposed").booleanValue()))
                    .hasSize(12);
            JsonNode blocked = agents.get(3)
                    .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "100"))
                    .ok()
                    .json()
                    .get("violations")
                    .get(0);
            assertThat(blocked.get("ruleId").textValue()).isEqualTo("f");
            assertThat(blocked.has("retryAt")).isTrue();
        }
    }

    /** The demonstration's policy with a limit. */
    private static void limited(TestHousehold household, String limit) {
        String policy = TestHousehold.demo("ips.json").strip();
        household
                .user()
                .put(APP + "ips", policy.substring(0, policy.length() - 1) + ",\"limits\":[" + limit + "]}")
                .ok();
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
