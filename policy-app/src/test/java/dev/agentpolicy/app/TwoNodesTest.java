package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes on one PostgreSQL are one service. */
class TwoNodesTest {
    private static Path folder;
    private static String database;
    private static ServiceNode one;
    private static ServiceNode other;

    @BeforeAll
    static void start(@TempDir Path emptyFolder) {
        folder = emptyFolder;
        database = Database.POSTGRES.fresh(folder);
        Map<String, String> shared = Map.of("POLICY_RATE_LIMIT_URL", database, "POLICY_RATE_LIMIT_PER_SECOND", "1000");
        one = ServiceNode.start(folder, database, shared);
        other = ServiceNode.start(folder, database, shared);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    @Test
    void forty_parallel_proposals_with_one_idempotency_key_are_one_request() {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        ApiCaller agent = household.agent().with("Idempotency-Key", "only-once");

        List<Seen> answers =
                atOnce(40, i -> at(agent, i).post(API + "trades/propose", trade("buy", "SPY", "tradfi", "1000")));

        assertThat(answers).allMatch(seen -> seen.status() == 200);
        assertThat(answers.stream()
                        .map(seen -> seen.json().get("serviceRequestId").longValue())
                        .distinct())
                .hasSize(1);
        assertThat(answers.stream()
                        .filter(seen -> !seen.json().get("idempotent").booleanValue()))
                .hasSize(1);
        assertThat(household.user().get(APP + "requests").ok().json().get("requests"))
                .hasSize(1);
    }

    @Test
    void a_proposal_on_one_node_is_heard_of_on_the_other_within_a_second() throws Exception {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        HttpRequest open = HttpRequest.newBuilder(URI.create(other.caller().address() + APP + "stream"))
                .header("Cookie", household.user().header("Cookie"))
                .build();
        HttpResponse<Stream<String>> stream = HttpClient.newHttpClient().send(open, BodyHandlers.ofLines());
        Iterator<String> lines = stream.body().filter(line -> !line.isEmpty()).iterator();
        while (!lines.next().equals("event: inbox")) {
            // The present versions come first.
        }
        lines.next();

        household.agent().post(API + "trades/propose", trade("buy", "SPY", "tradfi", "1000"));
        long begun = System.nanoTime();

        assertThat(lines.next()).isEqualTo("event: requests");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
        stream.body().close();
    }

    @Test
    void a_request_accepted_on_both_nodes_at_once_is_executed_once() {
        ProposalClient queue = ProposalClient.of(one.caller());
        ApiCaller agent = queue.agent();
        String accept = ProposalClient.path(queue.queued("1300")) + "/accept";

        List<Seen> answers = atOnce(10, i -> at(queue.household().user(), i).post(accept, ""));

        assertThat(answers.stream().map(Seen::status)).containsOnly(200, 409);
        assertThat(answers.stream().filter(seen -> seen.status() == 200)).hasSize(1);
        assertThat(agent.get(API + "holdings")
                        .ok()
                        .json()
                        .get("snapshot")
                        .get("cashValue")
                        .decimalValue())
                .isEqualByComparingTo("8700");
        assertThat(ChainPages.of(agent).rows("broker.trade_observed")).hasSize(1);
    }

    @Test
    void an_acceptance_on_one_node_counts_what_is_on_its_way_to_a_fill_on_the_other() throws Exception {
        ProposalClient queue = ProposalClient.of(one.caller());
        long first = queue.queued("3000");
        long second = queue.queued("3000");
        CompletableFuture<Seen> accepted;
        Seen blocked;
        try (LockedRows rows = new LockedRows(database, queue.household().userId())) {
            rows.holdBooks();
            accepted = CompletableFuture.supplyAsync(() -> queue.accept(first));
            rows.untilAccepted(List.of(first));
            blocked = queue.at(other.running().address()).accept(second);
        }

        assertThat(blocked.status()).describedAs(blocked.text()).isEqualTo(409);
        assertThat(blocked.json().get("violations").findValuesAsText("rule")).containsExactly("cash_floor");
        queue.executed(List.of(first));
        assertThat(accepted.join().status()).isEqualTo(200);
        assertThat(queue.accept(second).status()).isEqualTo(409);
        assertThat(queue.portfolio().findValuesAsText("cash")).containsExactly("7000");
    }

    @Test
    void a_key_revoked_on_one_node_is_refused_by_the_other_at_once() {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        JsonNode minted = household.mint("live");
        ApiCaller elsewhere = household.agent(minted).at(other.running().address());
        elsewhere
                .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                .ok();

        household
                .user()
                .delete(APP + "keys/" + minted.get("agentKeyId").textValue())
                .ok();

        assertThat(elsewhere
                        .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                        .status())
                .isEqualTo(401);
        assertThat(elsewhere.get(API + "mandate").status()).isEqualTo(401);
    }

    @Test
    void a_pause_on_one_node_blocks_the_next_call_on_the_other() {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        ApiCaller elsewhere = household.agent().at(other.running().address());
        String trade = trade("buy", "SPY", "tradfi", "1");
        elsewhere.post(API + "policy/validate", trade).ok();

        household.user().post(APP + "pause", "{}").ok();
        assertThat(elsewhere.post(API + "policy/validate", trade).ok().text()).contains("All agents are paused.");

        household.user().post(APP + "resume", "{}").ok();
        assertThat(elsewhere.post(API + "policy/validate", trade).ok().text()).doesNotContain("paused");
    }

    @Test
    void a_key_changed_on_one_node_acts_by_the_change_with_the_next_call_on_the_other() {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        JsonNode minted = household.mint("live");
        String key = APP + "keys/" + minted.get("agentKeyId").textValue();
        ApiCaller elsewhere = household.agent(minted).at(other.running().address());
        String trade = trade("buy", "SPY", "tradfi", "1");
        elsewhere.post(API + "policy/validate", trade).ok();

        household.user().patch(key, "{\"paused\":true}").ok();
        assertThat(elsewhere.post(API + "policy/validate", trade).ok().text()).contains("This key is paused.");
        household
                .user()
                .patch(key, "{\"paused\":false,\"allowedCidrs\":[\"203.0.113.0/24\"]}")
                .ok();
        assertThat(elsewhere.post(API + "policy/validate", trade).status()).isEqualTo(401);
        assertThat(elsewhere.get(API + "mandate").status()).isEqualTo(401);
        assertThat(elsewhere.get(API + "policy/events").status()).isEqualTo(401);
        household.user().patch(key, "{\"allowedCidrs\":[]}").ok();
        assertThat(elsewhere.post(API + "policy/validate", trade).ok().text()).doesNotContain("paused");

        household.user().patch(key, "{\"policy\":{\"dailyCallCap\":0}}").ok();
        assertThat(elsewhere.get(API + "policy/events").status()).isEqualTo(429);
        household.user().patch(key, "{\"policy\":{\"dailyCallCap\":100}}").ok();
        elsewhere.get(API + "mandate").ok();
    }

    @Test
    void a_secret_that_ends_later_works_on_the_other_node_until_a_further_rotation_ends_it() {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        JsonNode minted = household.mint("live");
        String rotate = APP + "keys/" + minted.get("agentKeyId").textValue() + "/rotate";
        ApiCaller oldest = household.agent(minted).at(other.running().address());
        oldest.get(API + "mandate").ok();

        JsonNode second =
                household.user().post(rotate, "{\"overlapMinutes\":10}").ok().json();
        oldest.get(API + "mandate").ok();
        household
                .agent(second)
                .at(other.running().address())
                .get(API + "mandate")
                .ok();
        household.user().post(rotate, "{\"overlapMinutes\":10}").ok();
        assertThat(oldest.get(API + "mandate").status()).isEqualTo(401);
        household
                .agent(second)
                .at(other.running().address())
                .get(API + "mandate")
                .ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"whoami", "mandate", "holdings", "audit", "policy/events", "usage"})
    void a_key_revoked_on_one_node_reads_nothing_on_the_other(String read) {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        JsonNode minted = household.mint("live");
        ApiCaller elsewhere = household.agent(minted).at(other.running().address());
        elsewhere.get(API + read).ok();
        elsewhere.get(API + read).ok();

        household
                .user()
                .delete(APP + "keys/" + minted.get("agentKeyId").textValue())
                .ok();

        assertThat(elsewhere.get(API + read).status()).isEqualTo(401);
        assertThat(elsewhere.get(API + read).status()).isEqualTo(401);
    }

    @Test
    void an_amendment_on_one_node_rules_the_next_decision_on_the_other() {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        ApiCaller elsewhere = household.agent().at(other.running().address());
        elsewhere
                .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                .ok();

        String paused = TestHousehold.demo("ips.json").replace("[\"buy\", \"sell\"]", "[\"sell\"]");
        household.user().put(APP + "ips", paused).ok();

        JsonNode decision = elsewhere
                .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                .ok()
                .json();
        assertThat(decision.get("ipsVersion").intValue()).isEqualTo(2);
        assertThat(decision.get("violations").findValuesAsText("rule")).containsExactly("action_not_allowed");
    }

    @Test
    void both_write_one_chain_without_a_gap() throws Exception {
        TestHousehold household = TestHousehold.withPolicy(one.caller());
        ApiCaller agent = household.agent();

        List<Seen> answers = atOnce(
                100, i -> at(agent, i).post(API + "policy/validate", trade("buy", "SPY", "tradfi", "" + (i + 1))));

        assertThat(answers).allMatch(seen -> seen.status() == 200);
        ChainPages chain = ChainPages.of(agent);
        assertThat(chain.rows("guardrail.decision")).hasSize(100);
        assertThat(chain.verdicts(folder)).allMatch(verdict -> verdict.startsWith("ok "));
    }

    @Test
    void sixty_four_refreshes_of_one_token_on_both_nodes_have_one_successor() {
        ConnectingClient here = ConnectingClient.registered(one.caller(), "http://127.0.0.1/callback");
        ConnectingClient there = new ConnectingClient(other.caller(), here.id(), here.redirectUri());
        String first = here.connected(TestHousehold.withPolicy(one.caller()), ConnectingClient.CONSENT)
                .get("refresh_token")
                .textValue();

        List<JsonNode> answers = atOnce(64, i -> (i % 2 == 0 ? here : there).refresh(first)).stream()
                .map(seen -> seen.ok().json())
                .toList();

        assertThat(answers.stream().map(tokens -> tokens.get("refresh_token").textValue()))
                .doesNotContain(first)
                .containsOnly(answers.get(0).get("refresh_token").textValue());
        assertThat(answers.stream().map(tokens -> tokens.get("access_token").textValue()))
                .containsOnly(answers.get(0).get("access_token").textValue());
        for (ConnectingClient client : List.of(here, there)) {
            assertThat(client.with(answers.get(0)).get(API + "whoami").status()).isEqualTo(200);
        }
        assertThat(there.refresh(answers.get(0).get("refresh_token").textValue())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_browser_that_signed_in_on_one_node_is_known_on_the_other_and_its_old_session_ends_on_both() {
        String login = "{\"email\":\"two-nodes@example.com\",\"password\":\"correct horse battery\"}";
        ApiCaller here = one.caller();
        ApiCaller there = other.caller();
        here.post(APP + "users", login).ok();
        List<String> cookies = here.post(APP + "session", login).ok().headers().allValues("Set-Cookie").stream()
                .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                .toList();
        for (int i = 0; i < 5; i++) {
            there.post(APP + "session", login.replace("correct", "wrong"));
        }
        assertThat(there.post(APP + "session", login).status()).isEqualTo(429);

        ApiCaller browser = there.with("Cookie", String.join("; ", cookies));
        browser.post(APP + "session", login).ok();

        assertThat(browser.get(APP + "me").status()).isEqualTo(401);
        assertThat(browser.at(here.address()).get(APP + "me").status()).isEqualTo(401);
    }

    /** Half of the calls to each node. */
    private static ApiCaller at(ApiCaller caller, int i) {
        return i % 2 == 0 ? caller : caller.at(other.running().address());
    }

    private static List<Seen> atOnce(int calls, IntFunction<Seen> call) {
        ExecutorService crowd = Executors.newFixedThreadPool(Math.min(calls, 40));
        try {
            return IntStream.range(0, calls)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> call.apply(i), crowd))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        } finally {
            crowd.shutdown();
        }
    }
}
