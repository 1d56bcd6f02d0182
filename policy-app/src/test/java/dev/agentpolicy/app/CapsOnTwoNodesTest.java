package dev.agentpolicy.app;

import static dev.agentpolicy.app.Household.API;
import static dev.agentpolicy.app.Household.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The caps of a key are exact over two nodes on one PostgreSQL. */
class CapsOnTwoNodesTest {

    @ParameterizedTest
    @ValueSource(strings = {"dailyUsdCap", "aumCapUsd"})
    void of_forty_proposals_at_once_over_two_nodes_exactly_five_fit(String cap, @TempDir Path folder) {
        String database = Database.POSTGRES.fresh(folder);
        try (Node one = Node.start(folder, database);
                Node other = Node.start(folder, database)) {
            Queue queue = Queue.of(one.caller(), "{\"" + cap + "\":500}");
            Caller elsewhere = queue.agent().at(other.caller().address());

            List<JsonNode> answers = AtOnce.calls(
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
