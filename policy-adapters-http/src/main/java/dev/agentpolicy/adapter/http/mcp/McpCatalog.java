package dev.agentpolicy.adapter.http.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.adapter.http.agent.AgentOperations;
import dev.agentpolicy.adapter.http.agent.Operation;
import dev.agentpolicy.adapter.http.mcp.McpTool.Effect;
import dev.agentpolicy.adapter.http.mcp.McpTool.Words;
import dev.agentpolicy.domain.agent.Scope;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All tools and resources (docs/reference/mcp.md). */
final class McpCatalog {
    private static final String RECORDS =
            " The answer is a decision with every rule that fires, and it is recorded in the"
                    + " user's audit log. A blocked trade is a normal answer with allowed false: read violations, change the"
                    + " trade or give it up.";

    private final List<McpTool> tools;
    private final List<McpResource> resources;

    McpCatalog(AgentOperations operations) {
        DescribedSchemas schemas = new DescribedSchemas();
        tools = List.of(
                reading(
                        operations.whoami(),
                        new Words(
                                "whoami",
                                "Who am I",
                                "The key that calls: its user, its scopes, whether it is live or a test key of the"
                                        + " sandbox, and its calls per second. Call this first."),
                        schemas.parameters(),
                        schemas.output("WhoamiResponse")),
                reading(
                        operations.mandate(),
                        new Words(
                                "get_mandate",
                                "Get the mandate",
                                "What the user allows: limits of the policy as fractions of the portfolio, how much of"
                                        + " them is used, which assets may be bought or sold, standing rules, and the"
                                        + " caps of this key with what is left of them today."),
                        schemas.parameters(),
                        schemas.output("Mandate")),
                reading(
                        operations.holdings(),
                        new Words(
                                "get_holdings",
                                "Get the holdings",
                                "The portfolio: total value, shares of crypto, tradfi and cash, and the positions at"
                                        + " each custodian. Amounts of positions are decimal strings."),
                        schemas.parameters(),
                        schemas.output("Holdings")),
                McpTool.of(
                        operations.validate(),
                        new Words(
                                "validate_trade",
                                "Check a trade",
                                "Asks whether the policy allows one trade, without proposing it." + RECORDS),
                        Effect.RECORDS,
                        schemas.body("TradePayload"),
                        schemas.output("ValidateResponse"),
                        false),
                McpTool.of(
                        operations.validateBatch(),
                        new Words(
                                "validate_trades",
                                "Check several trades",
                                "Asks for up to 25 trades whether the policy allows each, every one by itself against"
                                        + " the present portfolio. Each counts as one call of the daily cap."
                                        + RECORDS),
                        Effect.RECORDS,
                        schemas.body("BatchValidateRequest"),
                        schemas.output("BatchValidateResponse"),
                        false),
                headroom(operations, schemas),
                proposing(operations, schemas),
                reading(
                                operations.audit(),
                                new Words(
                                        "get_audit",
                                        "Get past decisions",
                                        "Decisions on this account, newest first, with the live status of the requests"
                                                + " they made. Poll here, about once a minute, for what the user"
                                                + " answered to a proposal."),
                                schemas.parameters(
                                        "AuditLimit", "AuditAgentKeyId", "AuditAllowed", "AuditSince", "AuditBefore"),
                                schemas.list("records", "AuditRecord"))
                        .answering("records"),
                reading(
                        operations.events(),
                        new Words(
                                "get_events",
                                "Get the signed log",
                                "A page of the signed, hash-linked log of everything that happened to the policy, the"
                                        + " keys and the trades of this account, for verification. For past decisions"
                                        + " get_audit is shorter."),
                        schemas.parameters("EventLimit", "EventCursor", "EventTypeFilter", "EventSince", "EventOrder"),
                        schemas.output("PolicyEventPage")),
                reading(
                        operations.usage(),
                        new Words(
                                "get_usage",
                                "Get usage",
                                "Calls of all keys of this user in the last days: totals, errors, latency, the busiest"
                                        + " paths and keys, and the latest calls."),
                        schemas.parameters("UsageDays"),
                        schemas.output("UsageResponse")));
        resources = List.of(
                new McpResource(
                        operations.mandate(),
                        resource(
                                "policy://mandate/current",
                                "mandate",
                                "The mandate now",
                                "What the user allows now, as get_mandate answers it.")),
                new McpResource(
                        operations.holdings(),
                        resource(
                                "policy://holdings/current",
                                "holdings",
                                "The holdings now",
                                "The portfolio now, as get_holdings answers it.")));
    }

    private static McpTool reading(Operation operation, Words words, ObjectNode input, ObjectNode output) {
        return McpTool.of(operation, words, Effect.READS, input, output, true);
    }

    private static McpTool headroom(AgentOperations operations, DescribedSchemas schemas) {
        ObjectNode input = schemas.body("HeadroomRequest");
        input.remove("required");
        return McpTool.of(
                operations.headroomOfOneOrAll(),
                new Words(
                        "get_headroom",
                        "Get the headroom",
                        "The exact amount in USD that may be bought or sold of one asset now, to the cent, the rule that"
                                + " limits it, and the same once all pending requests are accepted. Ask this before"
                                + " proposing; a proposal within it is allowed. Without arguments it answers for every"
                                + " known asset; else action, assetSymbol and assetType are needed."),
                Effect.READS,
                input,
                schemas.either("Headroom", "HeadroomList"),
                false);
    }

    private static McpTool proposing(AgentOperations operations, DescribedSchemas schemas) {
        ObjectNode input = schemas.body("ProposeRequest");
        schemas.addParameter(input, "IdempotencyKey", ToolArguments.IDEMPOTENCY_KEY);
        return McpTool.of(
                operations.propose(),
                new Words(
                        "propose_trade",
                        "Propose a trade",
                        "Proposes one trade to the user, who accepts or rejects it; nothing is traded before that. The"
                                + " policy is checked first: if it blocks the trade, proposed is false and no request is"
                                + " made. Give a rationale of one sentence. Give an idempotencyKey of your own, and"
                                + " repeat it when you retry, so that a retry makes no second request."),
                Effect.PROPOSES,
                input,
                schemas.output("ProposeResponse"),
                false);
    }

    private static Resource resource(String uri, String name, String title, String description) {
        return Resource.builder(uri, name)
                .title(title)
                .description(description)
                .mimeType(McpResource.JSON)
                .build();
    }

    Optional<McpTool> tool(String name) {
        return tools.stream().filter(tool -> tool.name().equals(name)).findFirst();
    }

    /** The tools that a key with some scopes can call. */
    List<McpTool> tools(Set<Scope> scopes) {
        return tools.stream()
                .filter(tool -> isGranted(tool.operation(), scopes))
                .toList();
    }

    Optional<McpResource> resource(String uri) {
        return resources.stream()
                .filter(resource -> resource.resource().uri().equals(uri))
                .findFirst();
    }

    /** The resources that a key with some scopes can read. */
    List<McpResource> resources(Set<Scope> scopes) {
        return resources.stream()
                .filter(resource -> isGranted(resource.operation(), scopes))
                .toList();
    }

    private static boolean isGranted(Operation operation, Set<Scope> scopes) {
        Scope needed = operation.access().scope();
        return needed == null || scopes.contains(needed);
    }
}
