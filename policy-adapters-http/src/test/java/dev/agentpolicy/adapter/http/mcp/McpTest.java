package dev.agentpolicy.adapter.http.mcp;

import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol as docs/reference/mcp.md tells it. */
class McpTest {
    private static final String INITIALIZE =
            "{\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}";

    private final TestService service = new TestService().withPolicyAndPortfolio();
    private final McpClient agent = new McpClient(service, service.key());

    @AfterEach
    void stop() {
        service.close();
    }

    // Lifecycle

    @ParameterizedTest
    @CsvSource({
        "2025-06-18,2025-06-18",
        "2025-11-25,2025-11-25",
        "2026-07-28,2025-11-25",
        "2024-11-05,2025-11-25",
        "nonsense,2025-11-25"
    })
    void a_client_agrees_on_a_revision_or_is_offered_the_newest(String asked, String offered) {
        JsonNode result = agent.with("MCP-Protocol-Version", asked).result("initialize", INITIALIZE.formatted(asked));

        assertThat(result.get("protocolVersion").textValue()).isEqualTo(offered);
        assertThat(result.at("/serverInfo/name").textValue()).isEqualTo("agent-policy");
        assertThat(result.get("instructions").textValue()).contains("validate_trade");
        assertThat(names(result.get("capabilities"))).containsExactlyInAnyOrder("tools", "resources", "prompts");
    }

    @Test
    void a_ping_is_answered_with_nothing() {
        assertThat(agent.result("ping", "{}")).isEmpty();
        assertThat(agent.send("{\"jsonrpc\":\"2.0\",\"id\":\"a\\u00e9\",\"method\":\"ping\"}")
                        .text())
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\\u00e9\",\"result\":{}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"notifications/initialized", "notifications/cancelled", "anything"})
    void a_notification_is_accepted(String method) {
        Seen seen = agent.send("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}");

        assertThat(seen.status()).isEqualTo(202);
        assertThat(seen.text()).isEmpty();
    }

    // Lists

    @Test
    void every_tool_has_schemas_that_need_nothing_else_and_hints() {
        JsonNode tools = agent.result("tools/list", "{}").get("tools");

        assertThat(tools)
                .extracting(tool -> tool.get("name").textValue())
                .contains("whoami", "get_mandate", "get_holdings", "validate_trade", "validate_trades", "propose_trade")
                .contains("get_headroom", "get_audit", "get_events", "get_proof", "get_usage")
                .hasSize(11);
        assertThat(tools).allSatisfy(tool -> {
            assertThat(tool.get("title").textValue()).isNotBlank();
            assertThat(tool.get("description").textValue()).isNotBlank();
            assertThat(tool.at("/inputSchema/type").textValue()).isEqualTo("object");
            assertThat(tool.at("/inputSchema/additionalProperties").booleanValue())
                    .isFalse();
            assertThat(tool.get("inputSchema").toString()).doesNotContain("$ref");
            assertThat(tool.at("/outputSchema/type").textValue()).isEqualTo("object");
            assertThat(tool.get("outputSchema").toString()).doesNotContain("#/components");
            assertThat(tool.at("/annotations/destructiveHint").booleanValue()).isFalse();
            assertThat(tool.at("/annotations/openWorldHint").booleanValue()).isFalse();
            boolean isReading = !tool.get("name").textValue().matches("validate_trades?|propose_trade");
            assertThat(tool.at("/annotations/readOnlyHint").booleanValue()).isEqualTo(isReading);
            assertThat(tool.at("/annotations/idempotentHint").booleanValue()).isEqualTo(isReading);
        });
    }

    @Test
    void a_key_sees_only_what_its_scopes_allow() {
        McpClient validating = new McpClient(service, service.key(Scope.VALIDATE));
        McpClient reading = new McpClient(service, service.key(Scope.READ));

        assertThat(listed(validating, "tools")).containsExactly("whoami", "validate_trade", "validate_trades");
        assertThat(listed(validating, "resources")).isEmpty();
        assertThat(listed(validating, "prompts")).isEmpty();
        assertThat(listed(reading, "tools")).contains("get_mandate").doesNotContain("validate_trade", "propose_trade");
        assertThat(listed(reading, "resources")).containsExactlyInAnyOrder("mandate", "holdings");
        assertThat(listed(agent, "prompts"))
                .containsExactlyInAnyOrder("review-portfolio", "propose-trade-with-rationale");
    }

    private static List<String> listed(McpClient client, String what) {
        List<String> names = new ArrayList<>();
        client.result(what + "/list", "{}")
                .get(what)
                .forEach(item -> names.add(item.get("name").textValue()));
        return names;
    }

    // Tools

    @Test
    void every_tool_that_reads_answers_as_rest_does() {
        Map<String, String> paths = Map.of(
                "get_mandate", "mandate",
                "get_holdings", "holdings");
        assertThat(agent.call("whoami", "{}").get("userId").textValue())
                .isEqualTo(service.user.value().toString());
        paths.forEach((tool, path) -> assertThat(agent.call(tool, "{}"))
                .isEqualTo(agent.http.get("/api/agent/v1/" + path).json()));
        agent.call("validate_trade", TRADE);
        assertThat(agent.call("get_audit", "{}").get("records"))
                .isEqualTo(agent.http.get("/api/agent/v1/audit").json());
        assertThat(agent.call("get_events", "{\"limit\":2,\"order\":\"desc\"}").get("events"))
                .hasSize(2)
                .isEqualTo(agent.http
                        .get("/api/agent/v1/policy/events?limit=2&order=desc")
                        .json()
                        .get("events"));
        assertThat(agent.call("get_usage", "{\"days\":1}").get("series")).hasSize(1);
        assertThat(agent.call("get_proof", "{\"seq\":1}").get("proof").textValue())
                .isEqualTo(agent.http.get("/api/agent/v1/policy/events/1/proof").text());
    }

    @Test
    void a_row_that_is_not_there_is_a_result_that_the_model_reads() {
        assertThat(agent.refused("get_proof", "{\"seq\":999}").get("error").textValue())
                .isEqualTo("not_found");
    }

    @Test
    void filters_are_those_of_rest() {
        agent.call("validate_trade", TRADE);
        agent.call("validate_trade", TRADE.replace("100", "90000"));

        assertThat(agent.call("get_audit", "{\"allowed\":false}").get("records"))
                .hasSize(1);
        assertThat(agent.call("get_audit", "{\"limit\":1,\"since\":null}").get("records"))
                .hasSize(1);
        assertThat(agent.call("get_events", "{\"eventType\":\"guardrail.decision\"}")
                        .get("events"))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            get_audit  | {"limit":0}               | limit must be an integer from 1 to 100.
            get_audit  | {"limit":1.5}             | limit must be an integer from 1 to 100.
            get_audit  | {"limit":1e999999}        | limit is out of range.
            get_audit  | {"limit":"5"}             | limit must be of type integer.
            get_audit  | {"allowed":"true"}        | allowed must be of type boolean.
            get_audit  | {"sinse":"x"}             | arguments must be among limit, agentKeyId, allowed, since, before.
            get_audit  | {"limit":1,"limit":2}     | limit must not be repeated.
            get_events | {"cursor":"?"}            | cursor must be the nextCursor of a page of the same query.
            get_usage  | {"days":31}               | days must be an integer from 1 to 30.
            get_proof  | {"seq":0}                 | seq must be the number of a row.
            get_proof  | {}                        | seq must be the number of a row.
            whoami     | {"a":1}                   | arguments must be empty: this tool takes none.
            """)
    void wrong_arguments_of_a_reading_tool_are_named(String tool, String arguments, String message) {
        JsonNode error = agent.refused(tool, arguments);

        assertThat(error.get("error").textValue()).isEqualTo("invalid_parameter");
        assertThat(error.get("message").textValue()).isEqualTo(message);
    }

    @Test
    void a_block_is_a_result_and_carries_its_receipt() {
        JsonNode decision = agent.call("validate_trade", TRADE.replace("100", "90000"));
        Seen seen = agent.callOnly("validate_trade", TRADE.replace("100", "90000"));

        assertThat(decision.get("allowed").booleanValue()).isFalse();
        assertThat(decision.at("/violations/0/rule").textValue()).isEqualTo("crypto_max_allocation");
        assertThat(seen.header("X-Policy-Event-Seq")).matches("[0-9]+");
        assertThat(seen.header("X-Policy-Event-Hash")).matches("[0-9a-f]{64}");
        assertThat(seen.header("X-RateLimit-Remaining")).isNotNull();
    }

    @Test
    void a_wrong_trade_is_refused_as_rest_refuses_it() {
        String wrong = TRADE.replace("100", "-1").replace("\"buy\"", "\"hold\"");
        JsonNode error = agent.refused("validate_trade", wrong);
        JsonNode same = agent.http.post(Client.VALIDATE, wrong).json();

        assertThat(error.get("violations")).isEqualTo(same.get("violations"));
        assertThat(error.get("allowed").booleanValue()).isFalse();
        assertThat(agent.refused("validate_trade", TRADE.replace("}", ",\"amountUsd\":1}"))
                        .get("message")
                        .textValue())
                .contains("amountUsd");
        assertThat(agent.refused("propose_trade", "{}").get("proposed").booleanValue())
                .isFalse();
        assertThat(agent.refused("validate_trades", "{\"trades\":1}")
                        .get("error")
                        .textValue())
                .isEqualTo("invalid_payload");
    }

    @Test
    void every_digit_of_an_amount_counts() {
        JsonNode error = agent.refused("validate_trade", TRADE.replace("100", "0.123456789"));

        assertThat(error.get("message").textValue()).contains("8");
        assertThat(agent.call("validate_trade", TRADE.replace("100", "999999999999.12345678"))
                        .get("reason")
                        .textValue())
                .contains("insufficient_cash");
        assertThat(agent.call("get_audit", "{}")
                        .at("/records/0/payload/amountUsd")
                        .decimalValue())
                .isEqualByComparingTo("999999999999.12345678");
    }

    @Test
    void the_headroom_is_that_of_rest_for_one_asset_or_for_all() {
        String asked = "{\"action\":\"buy\",\"assetSymbol\":\"ETH\",\"assetType\":\"crypto\"}";
        String path = "/api/agent/v1/policy/headroom";

        assertThat(agent.call("get_headroom", asked).get("maxAllowedUsd"))
                .isEqualTo(agent.http.post(path, asked).json().get("maxAllowedUsd"));
        assertThat(agent.call("get_headroom", "{}").get("assets"))
                .hasSameSizeAs(agent.http.get(path).json().get("assets"));
        assertThat(agent.refused("get_headroom", "{\"action\":\"buy\"}")
                        .get("error")
                        .textValue())
                .isEqualTo("invalid_payload");
    }

    @Test
    void a_batch_echoes_its_items_as_they_were_sent() {
        JsonNode result = agent.call("validate_trades", "{\"trades\":[" + TRADE + ",{\"a\" : 1.50}]}");

        assertThat(result.get("count").intValue()).isEqualTo(2);
        assertThat(result.at("/results/0/decision/allowed").booleanValue()).isTrue();
        assertThat(agent.callOnly("validate_trades", "{\"trades\":[{\"a\" : 1.50}]}")
                        .text())
                .contains("\"payload\":{\"a\" : 1.50}");
        assertThat(result.at("/results/1/decision/violations/0/rule").textValue())
                .isEqualTo("invalid_payload");
    }

    @Test
    void a_proposal_is_made_once_for_each_idempotency_key() {
        String once = TRADE.replace("}", ",\"rationale\":\"Rebalance\",\"idempotencyKey\":\"k 1\"}");

        JsonNode first = agent.call("propose_trade", once);
        JsonNode second = agent.call("propose_trade", once);
        JsonNode overRest = agent.http
                .with("Idempotency-Key", "k 1")
                .post(Client.PROPOSE, TRADE)
                .json();

        assertThat(first.get("proposed").booleanValue()).isTrue();
        assertThat(second.get("idempotent").booleanValue()).isTrue();
        assertThat(overRest.get("serviceRequestId")).isEqualTo(first.get("serviceRequestId"));
        assertThat(agent.call("get_audit", "{}").at("/records/0/rationale").textValue())
                .isEqualTo("Rebalance");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "1", "\"\\u0000\"", "\"\u00e9\"", "[]"})
    void a_malformed_idempotency_key_is_refused(String key) {
        JsonNode error = agent.refused("propose_trade", TRADE.replace("}", ",\"idempotencyKey\":" + key + "}"));

        assertThat(error.get("message").textValue())
                .isEqualTo("idempotencyKey must be a string of 1 to 128 characters of ASCII.");
    }

    // Resources and prompts

    @Test
    void resources_are_what_the_tools_answer() {
        for (String name : List.of("mandate", "holdings")) {
            String uri = "policy://" + name + "/current";
            JsonNode contents =
                    agent.result("resources/read", "{\"uri\":\"" + uri + "\"}").get("contents");

            assertThat(contents).hasSize(1);
            assertThat(contents.at("/0/uri").textValue()).isEqualTo(uri);
            assertThat(contents.at("/0/mimeType").textValue()).isEqualTo("application/json");
            assertThat(Client.json(contents.at("/0/text").textValue()))
                    .isEqualTo(agent.http.get("/api/agent/v1/" + name).json());
        }
        assertThat(agent.result("resources/templates/list", "{}").get("resourceTemplates"))
                .isEmpty();
    }

    @Test
    void prompts_tell_a_model_which_tools_to_use() {
        assertThat(agent.result("prompts/get", "{\"name\":\"review-portfolio\"}")
                        .toString())
                .contains("get_mandate", "validate_trades");
        assertThat(agent.result(
                                "prompts/get",
                                "{\"name\":\"propose-trade-with-rationale\",\"arguments\":{\"trade\":\"buy 10 USD of SPY\"}}")
                        .at("/messages/0/content/text")
                        .textValue())
                .contains("buy 10 USD of SPY", "propose_trade", "idempotencyKey");
    }

    // Errors of the protocol

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tools/list/more | {}                                                    | -32601
            server/discover | {}                                                    | -32601
            logging/setLevel | {"level":"info"}                                     | -32601
            tools/call      | {}                                                    | -32602
            tools/call      | {"name":"no_tool"}                                    | -32602
            tools/call      | {"name":1}                                            | -32602
            tools/call      | {"name":"whoami","arguments":[]}                      | -32602
            tools/call      | {"name":"whoami","arguments":"{}"}                    | -32602
            prompts/get     | {}                                                    | -32602
            prompts/get     | {"name":"no-prompt"}                                  | -32602
            prompts/get     | {"name":["x"]}                                        | -32602
            prompts/get     | {"name":"propose-trade-with-rationale"}               | -32602
            prompts/get     | {"name":"propose-trade-with-rationale","arguments":1} | -32602
            resources/read  | {}                                                    | -32602
            resources/read  | {"uri":"policy://other"}                              | -32002
            initialize      | {"protocolVersion":{}}                                | -32602
            initialize      | {"capabilities":7}                                    | -32602
            """)
    void a_wrong_request_is_an_error_of_the_protocol(String method, String params, int code) {
        assertThat(agent.error(method, params)).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [{"jsonrpc":"2.0","id":1,"method":"ping"}]            | -32600 | null
            []                                                    | -32600 | null
            1                                                     | -32600 | null
            "ping"                                                | -32600 | null
            null                                                  | -32600 | null
            {}                                                    | -32600 | null
            {"id":1,"method":"ping"}                              | -32600 | 1
            {"jsonrpc":"1.0","id":1,"method":"ping"}              | -32600 | 1
            {"jsonrpc":"2.0","id":1}                              | -32600 | 1
            {"jsonrpc":"2.0","id":1,"method":2}                   | -32600 | 1
            {"jsonrpc":"2.0","id":1,"result":{}}                  | -32600 | 1
            {"jsonrpc":"2.0","id":1.5,"method":"ping"}            | -32600 | null
            {"jsonrpc":"2.0","id":null,"method":"ping"}           | -32600 | null
            {"jsonrpc":"2.0","id":{},"method":"ping"}             | -32600 | null
            {"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}       | -32600 | 1
            {"jsonrpc":"2.0","id":1,"method":"ping","params":[]}  | -32600 | 1
            {"jsonrpc":"2.0","id":"x","method":"ping","params":1} | -32600 | "x"
            {"jsonrpc":"2.0","id":1,"method":"ping"               | -32700 | null
            {"jsonrpc":"2.0","id":1,"method":"ping"} {}           | -32700 | null
            {jsonrpc:2}                                           | -32700 | null
            """)
    void a_body_that_is_no_message_is_one_clear_error(String body, int code, String id) {
        Seen seen = agent.send(body);

        assertThat(seen.status()).isEqualTo(400);
        assertThat(seen.json().at("/error/code").intValue()).isEqualTo(code);
        assertThat(seen.json().at("/error/message").textValue()).endsWith(".");
        assertThat(seen.json().get("id").toString()).isEqualTo(id);
    }

    @Test
    void an_empty_body_and_bytes_that_are_no_text_are_not_parsed() {
        for (byte[] body : List.of(
                new byte[0],
                new byte[] {(byte) 0xff, (byte) 0xfe},
                "[".repeat(9_000).getBytes(StandardCharsets.UTF_8))) {
            Seen seen = agent.http
                    .with("Content-Type", "application/json")
                    .send("POST", McpEndpoint.PATH, BodyPublishers.ofByteArray(body));

            assertThat(seen.status()).isEqualTo(400);
            assertThat(seen.json().at("/error/code").intValue()).isEqualTo(-32700);
        }
    }

    @Test
    void errors_of_http_are_those_of_rest() {
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        Client stranger = service.client();

        assertThat(agent.send("{\"a\":\"" + "x".repeat(70_000) + "\"}").status())
                .isEqualTo(413);
        assertThat(agent.http.sendText("POST", McpEndpoint.PATH, ping).status()).isEqualTo(415);
        assertThat(agent.with("MCP-Protocol-Version", "2024-01-01").send(ping).status())
                .isEqualTo(400);
        assertThat(agent.with("MCP-Protocol-Version", "2025-06-18").send(ping).status())
                .isEqualTo(200);
        assertThat(new McpClient(agent.http.withKey("x")).send(ping).status()).isEqualTo(401);
        Seen refused = stranger.post(McpEndpoint.PATH, "no JSON");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate"))
                .isEqualTo("Bearer resource_metadata=\"" + service.server.address()
                        + "/.well-known/oauth-protected-resource/mcp\", scope=\"read validate propose\"");
        assertThat(stranger.withKey(service.key())
                        .with("Accept", "text/event-stream")
                        .post(McpEndpoint.PATH, ping)
                        .status())
                .isEqualTo(406);
        for (String method : List.of("GET", "DELETE", "PUT")) {
            Seen seen = agent.http.send(method, McpEndpoint.PATH, BodyPublishers.noBody());
            assertThat(seen.status()).isEqualTo(405);
            assertThat(seen.header("Allow")).contains("POST");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://evil.example,403",
        "null,403",
        "http://evil.example:80,403",
        "not a url,403",
        "http://localhost:3000,403",
        "http://127.0.0.1:6274,403",
        "http://127.0.0.1,403",
        "http://localhost.evil.example,403"
    })
    void pages_of_other_sites_are_refused(String origin, int status) {
        assertThat(agent.with("Origin", origin).ask("ping", "{}").status()).isEqualTo(status);
    }

    @Test
    void a_page_is_of_this_service_only_with_its_scheme_host_and_port() {
        String own = service.server.address();

        assertThat(agent.with("Origin", own).ask("ping", "{}").status()).isEqualTo(200);
        for (String other : List.of(own.replace("http:", "https:"), own + "0", own + "/", own.replace("127", "128"))) {
            assertThat(agent.with("Origin", other).ask("ping", "{}").status())
                    .as(other)
                    .isEqualTo(403);
        }
    }

    // Limits

    @Test
    void a_missing_scope_is_refused_as_in_rest() {
        McpClient reading = new McpClient(service, service.key(Scope.READ));

        Seen seen = reading.callOnly("propose_trade", TRADE);

        assertThat(seen.status()).isEqualTo(403);
        assertThat(seen.json().get("error").textValue()).isEqualTo("forbidden");
        assertThat(seen.header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", resource_metadata=\"" + service.server.address()
                        + "/.well-known/oauth-protected-resource/mcp\", scope=\"propose\"");
        assertThat(new McpClient(service, service.key(Scope.PROPOSE))
                        .ask("resources/read", "{\"uri\":\"policy://mandate/current\"}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void rest_and_mcp_share_the_budget_of_a_second() {
        for (int i = 0; i < TestService.PER_SECOND / 2; i++) {
            agent.ask("ping", "{}");
            agent.http.get("/api/agent/v1/whoami");
        }

        Seen seen = agent.ask("tools/list", "{}");

        assertThat(seen.status()).isEqualTo(429);
        assertThat(seen.json().get("error").textValue()).isEqualTo("rate_limit_exceeded");
        assertThat(seen.header("Retry-After")).isEqualTo("1");
    }

    @Test
    void all_but_handshake_small_lists_and_notifications_counts_for_the_daily_cap() {
        String key = service.key(KeyType.LIVE, KeyPolicy.NO_CAPS.withDailyCallCap(8), Scope.values());
        McpClient capped = new McpClient(service, key);
        for (int i = 0; i < 3; i++) {
            capped.ask("initialize", INITIALIZE.formatted("2025-11-25"));
            capped.ask("ping", "{}");
            capped.ask("resources/list", "{}");
            capped.ask("prompts/list", "{}");
            capped.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        }

        capped.ask("tools/list", "{}");
        capped.callOnly("whoami", "{}");
        capped.callOnly("validate_trade", TRADE);
        capped.callOnly("validate_trade", "{}");
        capped.ask("resources/read", "{\"uri\":\"policy://mandate/current\"}");
        capped.ask("prompts/get", "{\"name\":\"review-portfolio\"}");
        capped.ask("tools/call", "{\"name\":\"no_tool\"}");
        capped.send("[]");
        Seen seen = capped.callOnly("validate_trade", TRADE);

        assertThat(seen.status()).isEqualTo(429);
        assertThat(seen.json().get("error").textValue()).isEqualTo("daily_call_cap_exceeded");
        assertThat(seen.json().get("limit").intValue()).isEqualTo(8);
        assertThat(capped.callOnly("validate_trade", "{}").status()).isEqualTo(429);
        assertThat(capped.ask("tools/list", "{}").status()).isEqualTo(429);
        assertThat(capped.ask("ping", "{}").status()).isEqualTo(200);
    }

    @Test
    void usage_counts_calls_under_the_name_of_the_tool() {
        agent.callOnly("validate_trade", TRADE);
        agent.callOnly("no_tool", "{}");
        agent.ask("ping", "{}");
        agent.ask("resources/read", "{\"uri\":\"policy://mandate/current\"}");

        assertThat(agent.call("get_usage", "{}").get("topPaths").findValuesAsText("path"))
                .contains("/mcp validate_trade", "/mcp", "/mcp ping", "/mcp resources/read");
    }

    @Test
    void a_test_key_plays_in_the_sandbox() {
        McpClient sandbox = new McpClient(service, service.testKey());

        Seen seen = sandbox.callOnly("propose_trade", TRADE);

        assertThat(seen.header("X-Service-Sandbox")).isEqualTo("true");
        assertThat(seen.json().at("/result/structuredContent/serviceRequestId").intValue())
                .isNegative();
        assertThat(sandbox.call("get_audit", "{}").get("records")).hasSize(1);
        assertThat(sandbox.call("get_events", "{}").get("events")).isNotEmpty();
        assertThat(sandbox.send("[]").header("X-Service-Sandbox")).isEqualTo("true");
    }

    private static List<String> names(JsonNode object) {
        return StreamSupport.stream(((Iterable<String>) object::fieldNames).spliterator(), false)
                .toList();
    }
}
