package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.agent.Operation;
import dev.agentpolicy.adapter.http.mcp.ToolForm.Content;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.List;

/**
 * A resource: an operation that reads, under an address.
 *
 * @param operation what it reads
 * @param resource its address and description
 */
record McpResource(Operation operation, Resource resource) {
    static final String JSON = "application/json";

    ReadResourceResult result(Content content) {
        TextResourceContents contents = TextResourceContents.builder(resource.uri(), content.json())
                .mimeType(JSON)
                .build();
        return ReadResourceResult.builder(List.of(contents)).build();
    }
}
