package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.agent.AgentCall;
import dev.agentpolicy.adapter.http.agent.AgentOperations;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.agent.CallGate.Need;
import dev.agentpolicy.adapter.http.agent.Operation;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.DailyCount;
import io.javalin.http.Context;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The endpoint of the Model Context Protocol over streamable HTTP, without sessions and streams: one message in, one
 * answer out (docs/reference/mcp.md).
 *
 * <p>The message is read before the gate is asked, since it says what the call needs. Whatever is wrong with it is told
 * only to callers that the gate admits.
 */
public final class McpEndpoint {
    /** The path. */
    public static final String PATH = "/mcp";

    private static final int ACCEPTED = 202;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_ACCEPTABLE = 406;

    private static final Need NOTIFICATION = uncounted(PATH);

    /** What is refused by the protocol. It counts towards the daily cap of the key, as every refused call does. */
    private static final Need REFUSED = Need.of(PATH, Access.ANY_KEY);

    /** The requests, except for those that run an operation, and the name under which usage counts each. */
    private static final Map<String, Need> METHODS = methods();

    private final CallGate gate;
    private final AgentOperations operations;
    private final McpOrigins origins;
    private final String version;
    private volatile @Nullable McpServers servers;

    /**
     * Creates the endpoint.
     *
     * @param version the version of the service, for clients that show it
     */
    public McpEndpoint(CallGate gate, AgentOperations operations, HttpConfig config, String version) {
        this.gate = gate;
        this.operations = operations;
        this.origins = new McpOrigins(config);
        this.version = version;
    }

    /** Loads what the first call would have to wait for. Blocks for a fraction of a second. */
    public void load() {
        servers().of(EnumSet.allOf(Scope.class));
    }

    private McpServers servers() {
        McpServers loaded = servers;
        return loaded == null ? loadOnce() : loaded;
    }

    private synchronized McpServers loadOnce() {
        McpServers loaded = servers;
        if (loaded == null) {
            loaded = new McpServers(gate, operations, version);
            servers = loaded;
        }
        return loaded;
    }

    public Route route() {
        return new Route("POST", PATH, Access.ANY_KEY, "JSON-RPC message", this::handle);
    }

    private static Map<String, Need> methods() {
        Map<String, Need> methods = Stream.of(
                        McpSchema.METHOD_INITIALIZE,
                        McpSchema.METHOD_PING,
                        McpSchema.METHOD_TOOLS_LIST,
                        McpSchema.METHOD_RESOURCES_LIST,
                        McpSchema.METHOD_RESOURCES_TEMPLATES_LIST,
                        McpSchema.METHOD_PROMPT_LIST)
                .collect(Collectors.toMap(method -> method, method -> uncounted(PATH + " " + method)));
        String prompt = McpSchema.METHOD_PROMPT_GET;
        methods.put(prompt, Need.of(PATH + " " + prompt, Access.ANY_KEY));
        return Map.copyOf(methods);
    }

    private static Need uncounted(String label) {
        return new Need(label, Access.ANY_KEY, DailyCount.NEVER);
    }

    private void handle(Context ctx) {
        if (origins.isForeign(ctx)) {
            ErrorResponse.of(ErrorCode.FORBIDDEN, "Pages of other sites may not call this.")
                    .send(ctx);
            return;
        }
        Body.bytes(
                ctx,
                body -> RpcMessage.read(body, message -> handle(ctx, message), error -> refuse(ctx, error)),
                problem -> admitAny(ctx, REFUSED, call -> problem.send(ctx)));
    }

    private void handle(Context ctx, RpcMessage message) {
        Optional<ProtocolError> wrong = wrongHeader(ctx, message);
        if (wrong.isPresent()) {
            refuse(ctx, wrong.get());
        } else if (message.isNotification()) {
            admitAny(ctx, NOTIFICATION, call -> ctx.status(ACCEPTED));
        } else if (message.method().equals(McpSchema.METHOD_TOOLS_CALL)) {
            callTool(ctx, message);
        } else if (message.method().equals(McpSchema.METHOD_RESOURCES_READ)) {
            readResource(ctx, message);
        } else if (METHODS.containsKey(message.method())) {
            admitAny(ctx, METHODS.get(message.method()), call -> ask(call, message, params(message.params())));
        } else {
            refuse(
                    ctx,
                    new ProtocolError(
                            200, message.id(), ErrorCodes.METHOD_NOT_FOUND, "This server has no method of this name."));
        }
    }

    private static Optional<ProtocolError> wrongHeader(Context ctx, RpcMessage message) {
        String revision = ctx.req().getHeader("MCP-Protocol-Version");
        boolean isNegotiating = message.method().equals(McpSchema.METHOD_INITIALIZE);
        if (revision != null && !isNegotiating && !ScopedServer.REVISIONS.contains(revision)) {
            return Optional.of(ProtocolError.header(
                    BAD_REQUEST,
                    message.id(),
                    "The header MCP-Protocol-Version must be one of " + String.join(", ", ScopedServer.REVISIONS)
                            + "; the method initialize agrees on one."));
        }
        String accept = ctx.req().getHeader("Accept");
        return accept == null || acceptsJson(accept)
                ? Optional.empty()
                : Optional.of(ProtocolError.header(
                        NOT_ACCEPTABLE,
                        message.id(),
                        "The answer is application/json; the header Accept excludes it."));
    }

    private static boolean acceptsJson(String accept) {
        String types = accept.toLowerCase(Locale.ROOT);
        return types.contains("application/json") || types.contains("*/*") || types.contains("application/*");
    }

    private void callTool(Context ctx, RpcMessage message) {
        String name = message.params().text("name");
        Optional<McpTool> tool = Optional.ofNullable(name).flatMap(servers().catalog()::tool);
        String arguments = message.params().get("arguments");
        if (tool.isEmpty()) {
            refuse(ctx, ProtocolError.params(message.id(), "This server has no tool of this name; see tools/list."));
        } else if (arguments != null && !arguments.startsWith("{")) {
            refuse(ctx, ProtocolError.params(message.id(), "The arguments of a tool must be an object."));
        } else {
            Operation operation = tool.get().operation();
            ToolForm form = new ToolForm(ToolArguments.of(arguments, tool.get()));
            gate.admitForm(
                    ctx,
                    Need.of(PATH + " " + name, operation.access()),
                    form,
                    call -> ask(call, message, Map.of("name", tool.get().name())));
        }
    }

    private void readResource(Context ctx, RpcMessage message) {
        String uri = message.params().text("uri");
        Optional<McpResource> resource =
                Optional.ofNullable(uri).flatMap(servers().catalog()::resource);
        if (uri == null) {
            refuse(ctx, ProtocolError.params(message.id(), "The parameter uri must be a string."));
        } else if (resource.isEmpty()) {
            refuse(
                    ctx,
                    new ProtocolError(
                            200,
                            message.id(),
                            ErrorCodes.RESOURCE_NOT_FOUND,
                            "This server has no resource of this address; see resources/list."));
        } else {
            gate.admitForm(
                    ctx,
                    Need.of(
                            PATH + " " + McpSchema.METHOD_RESOURCES_READ,
                            resource.get().operation().access()),
                    noArguments(),
                    call -> ask(call, message, Map.of("uri", uri)));
        }
    }

    /** Admits any key. */
    private void admitAny(Context ctx, Need need, Consumer<AgentCall> work) {
        gate.admitForm(ctx, need, noArguments(), work);
    }

    private static ToolForm noArguments() {
        return new ToolForm(ToolArguments.none());
    }

    private void refuse(Context ctx, ProtocolError error) {
        admitAny(ctx, REFUSED, call -> Reply.bytes(ctx, error.status(), error.json()));
    }

    /** Asks the SDK, and answers when it has a response: now, or on the thread that completes the operation. */
    private void ask(AgentCall call, RpcMessage message, Object params) {
        Context ctx = call.ctx();
        ScopedServer server = servers().of(call.caller().key().scopes());
        // The id in the response is the text that came, so the SDK needs none of its own.
        JSONRPCRequest request = new JSONRPCRequest(McpSchema.JSONRPC_VERSION, message.method(), 0, params);
        Mono<JSONRPCResponse> response;
        try {
            response = server.handle(call, request);
        } catch (IllegalArgumentException | NullPointerException misread) {
            response = Mono.just(JSONRPCResponse.error(0, misread(message)));
        }
        response.subscribe(
                it -> Reply.bytes(ctx, 200, written(message, it)),
                failed -> gate.answerFailure(new IllegalStateException(failed), ctx));
    }

    private static JSONRPCError misread(RpcMessage message) {
        return new JSONRPCError(
                ErrorCodes.INVALID_PARAMS,
                "The parameters are not those of " + message.method() + " in this protocol.",
                null);
    }

    private byte[] written(RpcMessage message, JSONRPCResponse response) {
        JSONRPCError error = response.error();
        try {
            if (error == null) {
                return envelope(message, "result", servers().json().writeValueAsBytes(response.result()));
            }
            boolean isMisread = error.code() == ErrorCodes.INTERNAL_ERROR;
            JSONRPCError told = isMisread ? misread(message) : new JSONRPCError(error.code(), error.message(), null);
            return envelope(message, "error", servers().json().writeValueAsBytes(told));
        } catch (IOException impossible) {
            throw new UncheckedIOException("Writing to memory failed.", impossible);
        }
    }

    private static byte[] envelope(RpcMessage message, String member, byte[] value) {
        byte[] begin = ("{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"" + member + "\":")
                .getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(begin.length + value.length + 1)
                .put(begin)
                .put(value)
                .put((byte) '}')
                .array();
    }

    /** The parameters as plain values, as the SDK takes them. */
    private Map<String, Object> params(RawObject params) {
        Map<String, Object> values = new LinkedHashMap<>();
        params.members().forEach((name, text) -> values.put(name, value(text)));
        return values;
    }

    private @Nullable Object value(String text) {
        try {
            return servers().json().readValue(text, Object.class);
        } catch (IOException impossible) {
            throw new UncheckedIOException("It was parsed before.", impossible);
        }
    }
}
