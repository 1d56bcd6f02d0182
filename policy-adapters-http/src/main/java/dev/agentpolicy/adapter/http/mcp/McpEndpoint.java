package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.agent.AgentCall;
import dev.agentpolicy.adapter.http.agent.AgentOperations;
import dev.agentpolicy.adapter.http.agent.CallForm;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.agent.CallGate.Need;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.mcp.McpCatalog.Prompt;
import dev.agentpolicy.adapter.http.mcp.McpCatalog.Resource;
import dev.agentpolicy.adapter.http.mcp.McpCatalog.Tool;
import dev.agentpolicy.adapter.http.mcp.RpcMessage.RawObject;
import dev.agentpolicy.adapter.http.mcp.RpcMessage.Wrong;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.ServiceAddress;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.DailyCount;
import io.javalin.http.Context;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of the Model Context Protocol over streamable HTTP, without sessions and streams: one message in, one
 * answer out (docs/reference/mcp.md).
 *
 * <p>The message is read before the gate is asked, since it says what the call needs. Whatever is wrong with it is told
 * only to callers that the gate admits.
 */
public final class McpEndpoint {
    /** The path. */
    public static final String PATH = ServiceAddress.MCP;

    /** The revisions of the protocol, oldest first. A client that asks for another is offered the last. */
    private static final List<String> REVISIONS = List.of("2025-06-18", "2025-11-25");

    private static final String INSTRUCTIONS = """
            A user's policy decides which trades are allowed. Read the mandate and the holdings, check trades with \
            validate_trade, and propose them with propose_trade; the user accepts or rejects each proposal. No tool executes a \
            trade. Amounts are in USD; fields ending in Pct are fractions, except expectedSlippagePct, which is in percent.""";

    /** What is refused by the protocol. It counts towards the daily cap of the key, as every refused call does. */
    private static final Need REFUSED = Need.of(PATH, Access.ANY_KEY);

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /** A {@code Host} header that no page of another site can have. */
    private static final Pattern NO_NAME =
            Pattern.compile("(localhost|[0-9]+(\\.[0-9]+){3}|\\[[0-9a-f:.]+])(:[0-9]+)?", Pattern.CASE_INSENSITIVE);

    private final CallGate gate;
    private final AgentOperations operations;
    private final Set<String> publicOrigins;
    private final String version;
    private volatile @Nullable McpCatalog catalog;

    /**
     * Creates the endpoint.
     *
     * @param version the version of the service, for clients that show it
     */
    public McpEndpoint(CallGate gate, AgentOperations operations, HttpConfig config, String version) {
        this.gate = gate;
        this.operations = operations;
        this.publicOrigins =
                config.publicUrls().stream().map(McpEndpoint::origin).collect(Collectors.toUnmodifiableSet());
        this.version = version;
    }

    /** Loads what the first call would have to wait for. Blocks for a fraction of a second. */
    public void load() {
        catalog();
    }

    private McpCatalog catalog() {
        McpCatalog loaded = catalog;
        return loaded == null ? loadOnce() : loaded;
    }

    private synchronized McpCatalog loadOnce() {
        McpCatalog loaded = catalog;
        if (loaded == null) {
            loaded = new McpCatalog(operations);
            catalog = loaded;
        }
        return loaded;
    }

    public Route route() {
        return new Route("POST", PATH, Access.ANY_KEY, "JSON-RPC message", this::handle);
    }

    private void handle(Context ctx) {
        if (isForeign(ctx)) {
            ErrorResponse.of(ErrorCode.FORBIDDEN, "Pages of other sites may not call this.")
                    .send(ctx);
            return;
        }
        Body.bytes(
                ctx,
                body -> {
                    try {
                        handle(ctx, RpcMessage.read(body));
                    } catch (Wrong wrong) {
                        admit(ctx, REFUSED, call -> refuse(ctx, wrong));
                    }
                },
                problem -> admit(ctx, REFUSED, call -> problem.send(ctx)));
    }

    private void handle(Context ctx, RpcMessage message) throws Wrong {
        requireHeaders(ctx, message);
        if (message.id() == null) {
            admit(ctx, new Need(PATH, Access.ANY_KEY, DailyCount.NEVER), call -> ctx.status(202));
            return;
        }
        switch (message.method()) {
            case "initialize" -> answer(ctx, message, DailyCount.NEVER, key -> initialize(message));
            case "ping" -> answer(ctx, message, DailyCount.NEVER, key -> nothing -> {});
            case "tools/list" ->
                answer(
                        ctx,
                        message,
                        DailyCount.AT_ONCE,
                        scopes -> out -> out.raw("tools", catalog().tools(scopes)));
            case "resources/list" ->
                answer(
                        ctx,
                        message,
                        DailyCount.NEVER,
                        scopes -> out -> catalog().listResources(out, scopes));
            case "resources/templates/list" ->
                answer(ctx, message, DailyCount.NEVER, scopes -> out -> out.rawItems("resourceTemplates", Stream.of()));
            case "prompts/list" ->
                answer(
                        ctx,
                        message,
                        DailyCount.NEVER,
                        scopes -> out -> catalog().listPrompts(out, scopes));
            case "prompts/get" -> answer(ctx, message, DailyCount.AT_ONCE, scopes -> prompt(message, scopes));
            case "tools/call" -> callTool(ctx, message);
            case "resources/read" -> readResource(ctx, message);
            default -> throw message.wrong(200, RpcMessage.METHOD_NOT_FOUND, "This server has no method of this name.");
        }
    }

    private static void requireHeaders(Context ctx, RpcMessage message) throws Wrong {
        String revision = ctx.req().getHeader("MCP-Protocol-Version");
        if (revision != null && !message.method().equals("initialize") && !REVISIONS.contains(revision)) {
            throw message.wrong(
                    400,
                    RpcMessage.INVALID_REQUEST,
                    "The header MCP-Protocol-Version must be one of " + String.join(", ", REVISIONS)
                            + "; the method initialize agrees on one.");
        }
        String accept = ctx.req().getHeader("Accept");
        if (accept != null && !acceptsJson(accept.toLowerCase(Locale.ROOT))) {
            throw message.wrong(
                    406, RpcMessage.INVALID_REQUEST, "The answer is application/json; the header Accept excludes it.");
        }
    }

    private static boolean acceptsJson(String types) {
        return types.contains("application/json") || types.contains("*/*") || types.contains("application/*");
    }

    /**
     * Whether a browser sends the call for a page of another origin: scheme, host or port differ. A page can reach a server
     * in its user's network by pointing a name of its own at that address (DNS rebinding), so a {@code Host} header that
     * equals the origin proves nothing, unless it is an address or {@code localhost}, which no page can point elsewhere.
     */
    private boolean isForeign(Context ctx) {
        String origin = ctx.req().getHeader("Origin");
        if (origin == null) {
            return false;
        }
        String host = ctx.req().getHeader("Host");
        boolean isCalled = host != null
                && NO_NAME.matcher(host).matches()
                && origin.equalsIgnoreCase(ctx.req().getScheme() + "://" + host);
        return !isCalled && !publicOrigins.contains(origin.toLowerCase(Locale.ROOT));
    }

    /** The origin of a page at a URL, as browsers write it. */
    private static String origin(String url) {
        URI uri = URI.create(url.toLowerCase(Locale.ROOT));
        int standard = "https".equals(uri.getScheme()) ? HTTPS_PORT : HTTP_PORT;
        String port = uri.getPort() < 0 || uri.getPort() == standard ? "" : ":" + uri.getPort();
        return uri.getScheme() + "://" + uri.getHost() + port;
    }

    // Requests that need no more than a key

    /** What a request is answered with, by the scopes of its key. */
    private interface Question {
        Consumer<JsonWriter> answer(Set<Scope> scopes) throws Wrong;
    }

    private void answer(Context ctx, RpcMessage message, DailyCount count, Question question) {
        admit(ctx, new Need(PATH + " " + message.method(), Access.ANY_KEY, count), call -> {
            try {
                AgentKey key = call.caller().key();
                // A program can have its user consent to more, so it sees what there is.
                Set<Scope> scopes = key.client() == null ? key.scopes() : Set.of(Scope.values());
                Reply.bytes(ctx, 200, message.result(question.answer(scopes)));
            } catch (Wrong wrong) {
                refuse(ctx, wrong);
            }
        });
    }

    private Consumer<JsonWriter> initialize(RpcMessage message) throws Wrong {
        requireScalar(message, "protocolVersion");
        requireObjects(message, "capabilities", "clientInfo");
        String asked = message.params().text("protocolVersion");
        String agreed = asked != null && REVISIONS.contains(asked) ? asked : REVISIONS.get(REVISIONS.size() - 1);
        return out -> out.text("protocolVersion", agreed)
                .raw("capabilities", """
                        {"prompts":{"listChanged":false},"resources":{"subscribe":false,"listChanged":false},\
                        "tools":{"listChanged":false}}""")
                .object(
                        "serverInfo",
                        version,
                        (info, it) -> info.text("name", "agent-policy").text("version", it))
                .text("instructions", INSTRUCTIONS);
    }

    private Consumer<JsonWriter> prompt(RpcMessage message, Set<Scope> scopes) throws Wrong {
        requireScalar(message, "name");
        requireObjects(message, "arguments", "_meta");
        Prompt prompt = catalog().prompt(message.params().text("name"), scopes);
        if (prompt == null) {
            throw message.wrongParams("Invalid prompt name");
        }
        String arguments = message.params().get("arguments");
        String trade = arguments == null ? null : RawObject.of(arguments).text("trade");
        String problem = prompt.problem(trade);
        if (problem != null) {
            throw message.wrongParams(problem);
        }
        return out -> prompt.write(out, trade);
    }

    private static void requireScalar(RpcMessage message, String name) throws Wrong {
        String sent = message.params().get(name);
        if (sent != null && (sent.startsWith("{") || sent.startsWith("["))) {
            throw misread(message);
        }
    }

    private static void requireObjects(RpcMessage message, String... names) throws Wrong {
        for (String name : names) {
            String sent = message.params().get(name);
            if (sent != null && !sent.startsWith("{")) {
                throw misread(message);
            }
        }
    }

    private static Wrong misread(RpcMessage message) {
        return message.wrongParams("The parameters are not those of " + message.method() + " in this protocol.");
    }

    // Requests that run an operation

    private void callTool(Context ctx, RpcMessage message) throws Wrong {
        Tool tool = catalog().tool(message.params().text("name"));
        String arguments = message.params().get("arguments");
        if (tool == null) {
            throw message.wrongParams("This server has no tool of this name; see tools/list.");
        }
        if (arguments != null && !arguments.startsWith("{")) {
            throw message.wrongParams("The arguments of a tool must be an object.");
        }
        ToolForm form = new ToolForm(message, arguments, tool.types(), tool::write);
        gate.admitForm(ctx, Need.of(PATH + " " + tool.name(), tool.operation().access()), form, call -> {
            if (tool.isQuery()) {
                form.requireQuery();
            }
            tool.operation().work().accept(call);
        });
    }

    private void readResource(Context ctx, RpcMessage message) throws Wrong {
        String uri = message.params().text("uri");
        if (uri == null) {
            throw message.wrongParams("The parameter uri must be a string.");
        }
        Resource resource = catalog().resource(uri);
        if (resource == null) {
            throw message.wrong(
                    200,
                    RpcMessage.RESOURCE_NOT_FOUND,
                    "This server has no resource of this address; see resources/list.");
        }
        gate.admitForm(
                ctx,
                Need.of(PATH + " " + message.method(), resource.operation().access()),
                new ToolForm(message, null, Map.of(), resource::write),
                resource.operation().work());
    }

    /** Admits any key. */
    private void admit(Context ctx, Need need, Consumer<AgentCall> work) {
        gate.admitForm(ctx, need, CallForm.HTTP, work);
    }

    private static void refuse(Context ctx, Wrong wrong) {
        Reply.bytes(ctx, wrong.status(), wrong.json());
    }
}
