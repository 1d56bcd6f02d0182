package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A single key floods the queue, the log, or the day of its account, and is stopped. */
class FloodTest {
    private static final String BUY = trade("buy", "SPY", "tradfi", "1");

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_key_floods_the_queue_and_nothing_of_it_is_left_after_its_revocation(
            Database database, @TempDir Path folder) {
        try (ServiceNode node =
                ServiceNode.start(folder, database.fresh(folder), Map.of("POLICY_MAX_PENDING_PER_KEY", "25"))) {
            ProposalClient queue = ProposalClient.of(node.caller());
            ProposalClient other = ProposalClient.of(node.caller());
            long accepted = queue.queued("1");
            queue.accept(accepted).ok();

            List<Seen> answers = ConcurrentCalls.calls(40, i -> queue.propose(BUY));

            assertThat(answers.stream().filter(seen -> seen.status() == 200)).hasSize(25);
            assertThat(answers.stream().filter(seen -> seen.status() != 200)).allSatisfy(seen -> {
                assertThat(seen.status()).isEqualTo(429);
                assertThat(seen.json().get("error").textValue()).isEqualTo("too_many_pending");
                assertThat(seen.header("Retry-After")).isEqualTo("60");
            });
            assertThat(queue.events("guardrail.decision")).hasSize(2 + 25);
            other.queued("1");

            String keyId = queue.household()
                    .user()
                    .get(APP + "keys")
                    .json()
                    .at("/keys/0/agentKeyId")
                    .textValue();
            queue.household().user().delete(APP + "keys/" + keyId).ok();

            assertThat(waiting(queue)).isEmpty();
            JsonNode audit =
                    queue.household().user().get(APP + "audit?limit=25").ok().json();
            assertThat(audit)
                    .allSatisfy(
                            row -> assertThat(row.at("/serviceRequest/reason").textValue())
                                    .isEqualTo("key_revoked"));
            assertThat(queue.request(accepted).get("status").textValue()).isEqualTo("completed");
            assertThat(waiting(other)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void all_keys_of_an_account_at_once_get_no_more_decisions_than_its_quota(Database database, @TempDir Path folder) {
        Map<String, String> quota = Map.of("POLICY_DECISIONS_PER_DAY", "60");
        String url = database.fresh(folder);
        TestHousehold household;
        ApiCaller agent;
        try (ServiceNode node = ServiceNode.start(folder, url, quota)) {
            household = TestHousehold.withPolicy(node.caller());
            agent = household.agent();
            ApiCaller other = household.agent();
            ApiCaller stranger = TestHousehold.withPolicy(node.caller()).agent();

            List<Seen> answers =
                    ConcurrentCalls.calls(40, i -> (i % 2 == 0 ? agent : other).post(API + "policy/validate", BUY));
            Seen batch = agent.post(API + "policy/validate-batch", batch(21));
            Seen fits = other.post(API + "policy/validate-batch", batch(20));

            assertThat(answers).allMatch(seen -> seen.status() == 200);
            refused(batch);
            assertThat(fits.status()).isEqualTo(200);
            refused(agent.post(API + "policy/validate", BUY));
            refused(other.post(API + "trades/propose", BUY));
            assertThat(agent.get(API + "mandate").status()).isEqualTo(200);
            assertThat(household
                            .user()
                            .put(APP + "ips", TestHousehold.demo("ips.json").replace("0.05", "0.06"))
                            .status())
                    .isEqualTo(200);
            stranger.post(API + "policy/validate", BUY).ok();
        }
        try (ServiceNode node = ServiceNode.start(folder, url, quota)) {
            refused(agent.at(node.caller().address()).post(API + "policy/validate", BUY));
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_batch_of_items_that_cannot_be_read_takes_at_most_four_kilobytes_of_the_log_for_each(
            Database database, @TempDir Path folder) {
        try (ServiceNode node = ServiceNode.start(folder, database.fresh(folder))) {
            TestHousehold household = TestHousehold.withPolicy(node.caller());
            ApiCaller agent = household.agent();
            String item = IntStream.range(0, 40)
                    .mapToObj(i -> "\"" + (char) ('a' + i % 26) + i + "\u4e2d".repeat(14) + "\":1")
                    .collect(Collectors.joining(",", "{", "}"));
            String items = IntStream.range(0, 25).mapToObj(i -> item).collect(Collectors.joining(","));

            Seen seen = agent.post(API + "policy/validate-batch", "{\"trades\":[" + items + "]}");

            assertThat(seen.status()).isEqualTo(200);
            assertThat(seen.json().at("/results/0/decision/violations")).hasSize(8);
            JsonNode rows = household
                    .user()
                    .get(APP + "events?eventType=guardrail.decision")
                    .ok()
                    .json()
                    .get("events");
            assertThat(rows)
                    .hasSize(25)
                    .allSatisfy(row -> assertThat(row.get("payload").toString().getBytes(StandardCharsets.UTF_8).length)
                            .isLessThanOrEqualTo(4_096));
        }
    }

    private static String batch(int items) {
        return IntStream.range(0, items).mapToObj(i -> BUY).collect(Collectors.joining(",", "{\"trades\":[", "]}"));
    }

    private static void refused(Seen seen) {
        assertThat(seen.status()).isEqualTo(429);
        assertThat(seen.json().get("error").textValue()).isEqualTo("quota_exceeded");
        assertThat(Long.parseLong(seen.header("Retry-After"))).isBetween(1L, 86_400L);
    }

    private static JsonNode waiting(ProposalClient queue) {
        return queue.household()
                .user()
                .get(APP + "requests?status=pending&limit=100")
                .ok()
                .json()
                .get("requests");
    }
}
