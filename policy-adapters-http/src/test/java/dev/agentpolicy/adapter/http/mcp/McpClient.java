package dev.agentpolicy.adapter.http.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Sends messages to the endpoint of a service, and holds every result of a tool against the schema of the tool. */
final class McpClient {
    private static final JsonMapper SCHEMAS = JsonMapper.builder().build();

    final Client http;
    private final Map<String, Schema> outputs = new LinkedHashMap<>();

    McpClient(TestService service, String key) {
        this(service.client().withKey(key).with("Accept", "application/json, text/event-stream"));
    }

    McpClient(Client http) {
        this.http = http;
    }

    McpClient with(String header, String value) {
        return new McpClient(http.with(header, value));
    }

    Seen send(String message) {
        return http.post(McpEndpoint.PATH, message);
    }

    Seen ask(String method, String params) {
        return send("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}");
    }

    /** The result of a request. */
    JsonNode result(String method, String params) {
        Seen seen = ask(method, params);
        assertThat(seen.status()).as(seen.text()).isEqualTo(200);
        assertThat(seen.json().get("id").intValue()).isEqualTo(7);
        assertThat(seen.json().get("jsonrpc").textValue()).isEqualTo("2.0");
        assertThat(seen.json().has("result")).as(seen.text()).isTrue();
        return seen.json().get("result");
    }

    /** The code of the error that a request is answered with. */
    int error(String method, String params) {
        Seen seen = ask(method, params);
        assertThat(seen.status()).as(seen.text()).isEqualTo(200);
        return seen.json().at("/error/code").intValue();
    }

    Seen callOnly(String tool, String arguments) {
        return ask("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
    }

    /** The result of a tool, which must match its schema and have the same JSON as text, unless it is an error. */
    JsonNode call(String tool, String arguments) {
        JsonNode result = result("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
        assertThat(result.at("/content/0/type").textValue()).isEqualTo("text");
        if (result.path("isError").booleanValue()) {
            assertThat(result.has("structuredContent")).isFalse();
            return result;
        }
        JsonNode structured = result.get("structuredContent");
        assertThat(Client.json(result.at("/content/0/text").textValue())).isEqualTo(structured);
        assertThat(output(tool).validate(SCHEMAS.readTree(structured.toString())))
                .isEmpty();
        return structured;
    }

    /** The error that a tool was refused with, as REST would send it. */
    JsonNode refused(String tool, String arguments) {
        JsonNode result = call(tool, arguments);
        assertThat(result.path("isError").booleanValue()).as(result.toString()).isTrue();
        return Client.json(result.at("/content/0/text").textValue());
    }

    private Schema output(String tool) {
        return outputs.computeIfAbsent(tool, name -> {
            for (JsonNode listed : result("tools/list", "{}").get("tools")) {
                if (listed.get("name").textValue().equals(name)) {
                    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                            .getSchema(
                                    SCHEMAS.readTree(listed.get("outputSchema").toString()));
                }
            }
            throw new AssertionError("There is no tool " + name + ".");
        });
    }
}
