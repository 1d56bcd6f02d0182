package dev.agentpolicy.adapter.http.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.adapter.http.agent.AgentOperations;
import dev.agentpolicy.adapter.http.agent.CallGate.Operation;
import dev.agentpolicy.adapter.http.agent.EventFeed;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.domain.agent.Scope;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All tools, resources and prompts (docs/reference/mcp.md). */
final class McpCatalog {
    private static final String JSON = "application/json";
    private static final int MAX_TRADE_LENGTH = 500;
    private static final String RECORDS = """
             The answer is a decision with every rule that fires, and it is recorded in the user's audit log. A blocked \
            trade is a normal answer with allowed false: read violations, change the trade or give it up.""";

    private final DescribedSchemas schemas = new DescribedSchemas();
    private final List<Tool> tools;
    private final Map<Set<Scope>, String> listings = new ConcurrentHashMap<>();
    private final List<Resource> resources;
    private final List<Prompt> prompts;

    McpCatalog(AgentOperations operations) {
        ObjectNode asset = schemas.body("HeadroomRequest");
        asset.remove("required");
        ObjectNode proposal = schemas.body("ProposeRequest");
        schemas.addParameter(proposal, "IdempotencyKey", ToolForm.IDEMPOTENCY_KEY);
        tools = List.of(
                query(
                        "whoami",
                        "Who am I",
                        operations.whoami(),
                        schemas.parameters(),
                        schemas.output("WhoamiResponse"),
                        """
                        The key that calls: its user, its scopes, whether it is live or a test key of the sandbox, and its \
                        calls per second. Call this first."""),
                query(
                        "get_mandate",
                        "Get the mandate",
                        operations.mandate(),
                        schemas.parameters(),
                        schemas.output("Mandate"),
                        """
                        What the user allows: limits of the policy as fractions of the portfolio, how much of them is used, \
                        which assets may be bought or sold, standing rules, and the caps of this key with what is left of \
                        them today."""),
                query(
                        "get_holdings",
                        "Get the holdings",
                        operations.holdings(),
                        schemas.parameters(),
                        schemas.output("Holdings"),
                        """
                        The portfolio: total value, shares of crypto, tradfi and cash, and the positions at each custodian. \
                        Amounts of positions are decimal strings."""),
                tool(
                        "validate_trade",
                        "Check a trade",
                        operations.validate(),
                        schemas.body("TradePayload"),
                        schemas.output("ValidateResponse"),
                        """
                        Asks whether the policy allows one trade, without proposing it.""" + RECORDS),
                tool(
                        "validate_trades",
                        "Check several trades",
                        operations.validateBatch(),
                        schemas.body("BatchValidateRequest"),
                        schemas.output("BatchValidateResponse"),
                        """
                        Asks for up to 25 trades whether the policy allows each, every one by itself against the present \
                        portfolio. Each counts as one call of the daily cap.""" + RECORDS),
                tool(
                        "get_headroom",
                        "Get the headroom",
                        operations.headroomOfOneOrAll(),
                        asset,
                        schemas.either("Headroom", "HeadroomList"),
                        """
                        The exact amount in USD that may be bought or sold of one asset now, to the cent, the rule that \
                        limits it, and the same once all pending requests are accepted. Ask this before proposing; a \
                        proposal within it is allowed. Without arguments it answers for every known asset; else action, \
                        assetSymbol and assetType are needed."""),
                tool(
                        "propose_trade",
                        "Propose a trade",
                        operations.propose(),
                        proposal,
                        schemas.output("ProposeResponse"),
                        """
                        Proposes one trade to the user, who accepts or rejects it; nothing is traded before that. The policy \
                        is checked first: if it blocks the trade, proposed is false and no request is made. Give a rationale \
                        of one sentence. Give an idempotencyKey of your own, and repeat it when you retry, so that a retry \
                        makes no second request."""),
                query(
                                "get_audit",
                                "Get past decisions",
                                operations.audit(),
                                schemas.parameters(
                                        "AuditLimit", "AuditAgentKeyId", "AuditAllowed", "AuditSince", "AuditBefore"),
                                schemas.list("records", "AuditRecord"),
                                """
                        Decisions on this account, newest first, with the live status of the requests they made. Poll here, \
                        about once a minute, for what the user answered to a proposal.""")
                        .answering("records"),
                query(
                        "get_events",
                        "Get the signed log",
                        operations.events(),
                        schemas.parameters("EventLimit", "EventCursor", "EventTypeFilter", "EventSince", "EventOrder"),
                        schemas.output("PolicyEventPage"),
                        """
                        A page of the signed, hash-linked log of everything that happened to the policy, the keys and the \
                        trades of this account, for verification. For past decisions get_audit is shorter."""),
                query(
                        "get_proof",
                        "Get the proof of a decision",
                        operations.proof(EventFeed::seqOfQuery),
                        schemas.required("RowNumber"),
                        schemas.text("proof"),
                        """
                        The proof that a row of the signed log is in the public transparency log, as the text of a \
                        .tlog-proof file, which anyone can check offline. It is there about two seconds after the row."""),
                query(
                        "get_usage",
                        "Get usage",
                        operations.usageOfAll(),
                        schemas.parameters("UsageDays"),
                        schemas.output("UsageResponse"),
                        """
                        Calls of all keys of this user in the last days: totals, errors, latency, the busiest paths and keys, \
                        and the latest calls."""));
        resources = List.of(
                new Resource(
                        operations.mandate(),
                        "policy://mandate/current",
                        new Words(
                                "mandate", "The mandate now", "What the user allows now, as get_mandate answers it.")),
                new Resource(
                        operations.holdings(),
                        "policy://holdings/current",
                        new Words("holdings", "The holdings now", "The portfolio now, as get_holdings answers it.")));
        prompts = List.of(
                new Prompt(
                        Set.of(Scope.values()),
                        new Words("propose-trade-with-rationale", "Propose a trade with a rationale", """
                                Checks a trade, and proposes it with a rationale that the user reads before accepting."""),
                        PROPOSE,
                        true),
                new Prompt(
                        Set.of(Scope.READ, Scope.VALIDATE),
                        new Words("review-portfolio", "Review the portfolio", """
                                Where the portfolio stands in its policy, what was blocked, and what would bring it back to its \
                                targets."""),
                        REVIEW,
                        false));
    }

    private static Tool query(
            String name, String title, Operation operation, ObjectNode input, ObjectNode output, String description) {
        return Tool.of(operation, new Words(name, title, description), input, output, true);
    }

    private static Tool tool(
            String name, String title, Operation operation, ObjectNode input, ObjectNode output, String description) {
        return Tool.of(operation, new Words(name, title, description), input, output, false);
    }

    /** The words of what a client lists. */
    record Words(String name, String title, String description) {
        void write(JsonWriter out) {
            out.text("name", name).text("title", title).text("description", description);
        }
    }

    /**
     * A tool: an operation of the agent API, as a model sees it.
     *
     * @param described its name, description, schemas and hints, as JSON
     * @param types the JSON type of each argument, by name
     * @param isQuery whether REST takes its arguments as parameters of a query
     * @param list the member that holds the list, if REST answers with a list; otherwise null
     */
    record Tool(
            Operation operation,
            String name,
            String described,
            Map<String, String> types,
            boolean isQuery,
            @Nullable String list) {

        private static Tool of(Operation operation, Words words, ObjectNode input, ObjectNode output, boolean isQuery) {
            boolean isReading = !operation.access().isDeciding();
            Map<String, String> types = new LinkedHashMap<>();
            input.path("properties")
                    .properties()
                    .forEach(member -> types.put(
                            member.getKey(), member.getValue().path("type").asText()));
            byte[] described = JsonWriter.object(out -> {
                words.write(out);
                out.raw("inputSchema", input.toString())
                        .raw("outputSchema", output.toString())
                        .object(
                                "annotations",
                                words.title,
                                (hints, title) -> hints.text("title", title)
                                        .truth("readOnlyHint", isReading)
                                        .truth("destructiveHint", false)
                                        .truth("idempotentHint", isReading)
                                        .truth("openWorldHint", false));
            });
            return new Tool(operation, words.name, new String(described, StandardCharsets.UTF_8), types, isQuery, null);
        }

        private Tool answering(String member) {
            return new Tool(operation, name, described, types, isQuery, member);
        }

        /** The same JSON as text and as structured content; only text, if the arguments were refused. */
        void write(JsonWriter out, String answer, boolean isError) {
            String json = list == null || isError ? answer : "{\"" + list + "\":" + answer + "}";
            out.array(
                            "content",
                            List.of(json),
                            (content, text) -> content.text("type", "text").text("text", text))
                    .truth("isError", isError)
                    .present("structuredContent", isError ? null : json, JsonWriter::raw);
        }
    }

    /** A resource: an operation that reads, under an address. */
    record Resource(Operation operation, String uri, Words words) {
        void describe(JsonWriter out) {
            out.text("uri", uri);
            words.write(out);
            out.text("mimeType", JSON);
        }

        void write(JsonWriter out, String json, boolean isError) {
            out.array(
                    "contents",
                    List.of(json),
                    (contents, text) ->
                            contents.text("uri", uri).text("mimeType", JSON).text("text", text));
        }
    }

    /**
     * An instruction that a user can pick in a client.
     *
     * @param needed the scopes of the tools in it
     * @param hasTrade whether its text names a trade, which is its argument
     */
    record Prompt(Set<Scope> needed, Words words, String text, boolean hasTrade) {
        void describe(JsonWriter out) {
            words.write(out);
            if (hasTrade) {
                out.array("arguments", List.of("trade"), (argument, name) -> {
                    new Words(name, "The trade", "What to trade, such as: buy 2000 USD of SPY").write(argument);
                    argument.truth("required", true);
                });
            }
        }

        /** What the trade must be, if it is something else; else null. */
        @Nullable
        String problem(@Nullable String trade) {
            boolean isRight = trade != null && !trade.isBlank() && trade.length() <= MAX_TRADE_LENGTH;
            return isRight || !hasTrade
                    ? null
                    : "The argument trade must be a text of 1 to " + MAX_TRADE_LENGTH + " characters.";
        }

        void write(JsonWriter out, @Nullable String trade) {
            String said = (hasTrade ? text.formatted(trade) : text).strip();
            out.text("description", words.description)
                    .array(
                            "messages",
                            List.of(said),
                            (message, it) -> message.text("role", "user")
                                    .object(
                                            "content",
                                            it,
                                            (content, text) ->
                                                    content.text("type", "text").text("text", text)));
        }
    }

    @Nullable
    Tool tool(@Nullable String name) {
        return first(tools, tool -> tool.name.equals(name));
    }

    @Nullable
    Resource resource(String uri) {
        return first(resources, resource -> resource.uri.equals(uri));
    }

    /** A prompt for a key with some scopes. */
    @Nullable
    Prompt prompt(@Nullable String name, Set<Scope> scopes) {
        return first(prompts, prompt -> prompt.words.name.equals(name) && scopes.containsAll(prompt.needed));
    }

    private static <T> @Nullable T first(List<T> all, Predicate<T> wanted) {
        return all.stream().filter(wanted).findFirst().orElse(null);
    }

    /** The tools that a key with some scopes can call, as a JSON array. It is made once for each set of scopes. */
    String tools(Set<Scope> scopes) {
        return listings.computeIfAbsent(
                Set.copyOf(scopes),
                some -> tools.stream()
                        .filter(tool -> isAllowed(tool.operation, some))
                        .map(Tool::described)
                        .collect(Collectors.joining(",", "[", "]")));
    }

    void listResources(JsonWriter out, Set<Scope> scopes) {
        out.array(
                "resources",
                resources.stream().filter(it -> isAllowed(it.operation, scopes)),
                (json, it) -> it.describe(json));
    }

    /** Lists the prompts whose tools a key with some scopes can all call. */
    void listPrompts(JsonWriter out, Set<Scope> scopes) {
        out.array(
                "prompts",
                prompts.stream().filter(it -> scopes.containsAll(it.needed)),
                (json, it) -> it.describe(json));
    }

    private static boolean isAllowed(Operation operation, Set<Scope> scopes) {
        Scope needed = operation.access().scope();
        return needed == null || scopes.contains(needed);
    }

    // The texts of the prompts

    private static final String REVIEW = """
            Review my portfolio against my policy.

            1. Call get_mandate and get_holdings.
            2. Say for crypto, tradfi and cash where each stands: its share now, its minimum, target and maximum.
            3. Say how far the drawdown is from its limit, which standing rules exist, and what is left of your caps today.
            4. Call get_audit and sum up what was blocked lately and why, and which requests wait for me.
            5. If a share is away from its target, describe the trades that would bring it back, with amounts in USD. Check \
            them with validate_trades, and show the verdicts.

            Do not propose a trade; only tell me what you found, in plain words and with the numbers.
            """;

    private static final String PROPOSE = """
            Propose a trade to me: %s

            1. Call get_mandate, and check that my policy, my standing rules and your caps leave room for it.
            2. Call validate_trade. If it is blocked, tell me every rule that fires with its limit and the value that would \
            result. Suggest a smaller trade if one would be allowed, check that too, and do not try more than three.
            3. Call propose_trade for the trade that is allowed, with an idempotencyKey of your own and a rationale of one \
            or two sentences: why this asset, why this amount, and what it does to the shares of the portfolio. If the call \
            fails without an answer, repeat it with the same idempotencyKey.
            4. Tell me the number of the request and that I have to accept or reject it. Nothing is traded before that.
            5. When I ask what became of it, look at serviceRequest in get_audit.
            """;
}
