package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.domain.agent.Scope;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncPromptSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** The prompts: instructions that a user can pick in a client. */
final class McpPrompts {
    private static final int MAX_LENGTH = 500;

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

    private McpPrompts() {}

    /** The prompts for a key with some scopes: only those whose tools it can call. */
    static List<AsyncPromptSpecification> of(Set<Scope> scopes) {
        return Stream.of(
                        new Offer(Set.of(Scope.READ, Scope.VALIDATE), review()),
                        new Offer(Set.of(Scope.values()), propose()))
                .filter(offer -> scopes.containsAll(offer.needed))
                .map(Offer::prompt)
                .toList();
    }

    private record Offer(Set<Scope> needed, AsyncPromptSpecification prompt) {}

    private static AsyncPromptSpecification review() {
        Prompt prompt = Prompt.builder("review-portfolio")
                .title("Review the portfolio")
                .description("Where the portfolio stands in its policy, what was blocked, and what would bring it back"
                        + " to its targets.")
                .build();
        return new AsyncPromptSpecification(
                prompt, (context, request) -> Mono.fromSupplier(() -> said(prompt, REVIEW)));
    }

    private static AsyncPromptSpecification propose() {
        Prompt prompt = Prompt.builder("propose-trade-with-rationale")
                .title("Propose a trade with a rationale")
                .description("Checks a trade, and proposes it with a rationale that the user reads before accepting.")
                .arguments(List.of(
                        new PromptArgument("trade", "The trade", "What to trade, such as: buy 2000 USD of SPY", true)))
                .build();
        return new AsyncPromptSpecification(
                prompt, (context, request) -> Mono.fromSupplier(() -> said(prompt, PROPOSE.formatted(trade(request)))));
    }

    private static String trade(GetPromptRequest request) {
        Map<String, Object> arguments = request.arguments() == null ? Map.of() : request.arguments();
        if (arguments.get("trade") instanceof String trade && !trade.isBlank() && trade.length() <= MAX_LENGTH) {
            return trade;
        }
        throw McpError.builder(ErrorCodes.INVALID_PARAMS)
                .message("The argument trade must be a text of 1 to " + MAX_LENGTH + " characters.")
                .build();
    }

    private static GetPromptResult said(Prompt prompt, String text) {
        TextContent content = TextContent.builder(text.strip()).build();
        return GetPromptResult.builder(
                        List.of(PromptMessage.builder(Role.USER, content).build()))
                .description(prompt.description())
                .build();
    }
}
