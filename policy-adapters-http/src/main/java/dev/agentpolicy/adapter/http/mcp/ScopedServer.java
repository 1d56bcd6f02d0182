package dev.agentpolicy.adapter.http.mcp;

import static java.util.Objects.requireNonNull;

import dev.agentpolicy.adapter.http.agent.AgentCall;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.agent.Operation;
import dev.agentpolicy.adapter.http.mcp.ToolForm.Content;
import dev.agentpolicy.domain.agent.Scope;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncResourceSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The server of the SDK for keys with certain scopes: it knows only what these can call. It keeps nothing between calls.
 *
 * <p>The transport of the SDK for servlets blocks a thread for each call and reads bodies of any size, so the messages come
 * from {@link McpEndpoint} instead.
 */
final class ScopedServer implements McpStatelessServerTransport {
    /** The revisions of the protocol, oldest first. A client that asks for another is offered the last. */
    static final List<String> REVISIONS = List.of("2025-06-18", "2025-11-25");

    private static final String CALL = "call";
    private static final String INSTRUCTIONS =
            "A user's policy decides which trades are allowed. Read the mandate and the holdings, check trades with"
                    + " validate_trade, and propose them with propose_trade; the user accepts or rejects each proposal."
                    + " No tool executes a trade. Amounts are in USD; fields ending in Pct are fractions, except"
                    + " expectedSlippagePct, which is in percent.";

    private @Nullable McpStatelessServerHandler handler;

    private ScopedServer() {}

    /** Builds the server for some scopes. */
    static ScopedServer of(Set<Scope> scopes, McpCatalog catalog, CallGate gate, McpJsonMapper json, String version) {
        ScopedServer server = new ScopedServer();
        McpServer.async(server)
                .serverInfo("agent-policy", version)
                .instructions(INSTRUCTIONS)
                .capabilities(ServerCapabilities.builder()
                        .tools(false)
                        .resources(false, false)
                        .prompts(false)
                        .build())
                .jsonMapper(json)
                .jsonSchemaValidator(new ReadersValidate())
                .validateToolInputs(false)
                .tools(catalog.tools(scopes).stream()
                        .map(tool -> new AsyncToolSpecification(
                                tool.tool(),
                                (context, request) ->
                                        run(tool.operation(), context, gate).map(tool::result)))
                        .toList())
                .resources(catalog.resources(scopes).stream()
                        .map(resource -> new AsyncResourceSpecification(
                                resource.resource(),
                                (context, request) ->
                                        run(resource.operation(), context, gate).map(resource::result)))
                        .toList())
                .prompts(McpPrompts.of(scopes))
                .build();
        return server;
    }

    /** Runs the operation of the admitted call. The result comes on the thread that answers. */
    private static Mono<Content> run(Operation operation, McpTransportContext context, CallGate gate) {
        AgentCall call = (AgentCall) context.get(CALL);
        ToolForm form = (ToolForm) call.form();
        try {
            form.requireArguments();
            operation.work().accept(call);
        } catch (RuntimeException failed) {
            gate.answerFailure(failed, call.ctx());
        }
        return Mono.fromFuture(form.content(), true);
    }

    /**
     * Handles a request of an admitted call.
     *
     * @return the response; nothing, if the call was answered with an HTTP error
     */
    Mono<JSONRPCResponse> handle(AgentCall call, JSONRPCRequest request) {
        return requireNonNull(handler, "The SDK sets it when the server is built.")
                .handleRequest(McpTransportContext.create(Map.of(CALL, call)), request);
    }

    @Override
    public void setMcpHandler(McpStatelessServerHandler mcpHandler) {
        this.handler = mcpHandler;
    }

    @Override
    public List<String> protocolVersions() {
        return REVISIONS;
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    /** Arguments are read as strictly as the bodies of REST, and tests hold the results against their schemas. */
    private static final class ReadersValidate implements JsonSchemaValidator {

        @Override
        public ValidationResponse validate(Map<String, Object> schema, Object structuredContent) {
            return ValidationResponse.asValid(null);
        }
    }
}
