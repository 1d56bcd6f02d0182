package dev.agentpolicy.adapter.http.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.agentpolicy.adapter.http.agent.Operation;
import dev.agentpolicy.adapter.http.mcp.ToolForm.Content;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool: an operation of the agent API, as a model sees it.
 *
 * @param operation what it does
 * @param tool its name, description, schemas and hints
 * @param types the JSON type of each argument, by name
 * @param isQuery whether REST takes its arguments as parameters of a query
 * @param list the member that holds the list, if REST answers with a list; otherwise null
 */
record McpTool(
        Operation operation,
        Tool tool,
        Map<String, String> types,
        boolean isQuery,
        @Nullable String list) {

    /** What a tool does to its environment, for clients that ask the user before some tools. */
    enum Effect {
        /** Reads only. */
        READS(true, true),
        /** Writes a row that says what was asked; nothing that anybody acts on. */
        RECORDS(false, false),
        /** Makes a request to the user. */
        PROPOSES(false, false);

        private final boolean isReadOnly;
        private final boolean isIdempotent;

        Effect(boolean isReadOnly, boolean isIdempotent) {
            this.isReadOnly = isReadOnly;
            this.isIdempotent = isIdempotent;
        }

        ToolAnnotations annotations(String title) {
            return new ToolAnnotations(title, isReadOnly, false, isIdempotent, false, null);
        }
    }

    /** The words of a tool. */
    record Words(String name, String title, String description) {}

    static McpTool of(
            Operation operation, Words words, Effect effect, ObjectNode input, ObjectNode output, boolean isQuery) {
        Tool tool = Tool.builder(words.name, DescribedSchemas.plain(input))
                .title(words.title)
                .description(words.description)
                .outputSchema(DescribedSchemas.plain(output))
                .annotations(effect.annotations(words.title))
                .build();
        return new McpTool(operation, tool, types(tool), isQuery, null);
    }

    /** The same tool, whose result is an object with the list of REST in it. */
    McpTool answering(String member) {
        return new McpTool(operation, tool, types, isQuery, member);
    }

    String name() {
        return tool.name();
    }

    private static Map<String, String> types(Tool tool) {
        Map<String, String> types = new LinkedHashMap<>();
        ((Map<?, ?>) tool.inputSchema().getOrDefault("properties", Map.of()))
                .forEach((name, schema) ->
                        types.put(String.valueOf(name), String.valueOf(((Map<?, ?>) schema).get("type"))));
        return types;
    }

    /** The result: the same JSON as text and as structured content; only text, if the arguments were refused. */
    CallToolResult result(Content content) {
        String json = list == null || content.isError() ? content.json() : "{\"" + list + "\":" + content.json() + "}";
        Object structured = content.isError() ? null : new RawValue(json);
        return new CallToolResult(List.of(TextContent.builder(json).build()), content.isError(), structured, null);
    }
}
