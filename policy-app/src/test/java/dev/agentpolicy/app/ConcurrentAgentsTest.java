package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many agents of one user call at once: the result is one chain without a gap that anyone can verify. */
@OnEveryDatabase
class ConcurrentAgentsTest extends DatabaseTests {
    private static final int KEYS = 8;
    private static final int CALLS_OF_EACH = 40;

    @Test
    void three_hundred_and_twenty_parallel_calls_are_as_many_rows() throws Exception {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        List<ApiCaller> agents = Stream.generate(household::agent).limit(KEYS).toList();
        ExecutorService crowd = Executors.newFixedThreadPool(32);
        List<Seen> answers;
        try {
            answers = IntStream.range(0, KEYS * CALLS_OF_EACH)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> agents.get(i % KEYS)
                                    .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "" + (i + 1))),
                            crowd))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        } finally {
            crowd.shutdown();
        }

        assertThat(answers).allMatch(seen -> seen.status() == 200);
        ChainPages chain = ChainPages.of(agents.get(0));
        List<JsonNode> decisions = chain.rows("guardrail.decision");
        assertThat(decisions).hasSize(KEYS * CALLS_OF_EACH);
        assertThat(decisions.stream()
                        .map(row ->
                                row.get("payload").get("trade").get("amountUsd").textValue())
                        .distinct())
                .hasSize(KEYS * CALLS_OF_EACH);
        assertThat(chain.hashes().keySet())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, chain.rows().size()).boxed().toList());
        assertThat(answers)
                .allSatisfy(seen -> assertThat(chain.hashes())
                        .containsEntry(
                                Long.valueOf(seen.header("X-Policy-Event-Seq")), seen.header("X-Policy-Event-Hash")));
        assertThat(chain.verdicts(folder))
                .allMatch(verdict -> verdict.startsWith("ok " + chain.rows().size() + " rows"));
    }

    @Test
    void a_daily_call_cap_is_exact_however_many_call_at_once() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent(household.mint("live", "\"validate\",\"read\"", "{\"dailyCallCap\":25}"));
        ExecutorService crowd = Executors.newFixedThreadPool(16);
        try {
            List<Integer> statuses = IntStream.range(0, 60)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                                    .status(),
                            crowd))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();

            assertThat(statuses).filteredOn(status -> status == 200).hasSize(25);
            assertThat(statuses).filteredOn(status -> status == 429).hasSize(35);
        } finally {
            crowd.shutdown();
        }
    }
}
