package dev.agentpolicy.bench.rival;

import dev.agentpolicy.domain.rule.Rule;
import java.util.List;

/**
 * When a rule is broken, in the few words that the languages of all engines share, over the names of {@link Facts}; the
 * numbers are those of the statement that the evaluator reads.
 *
 * @param rule its name in the specification
 * @param text the condition
 */
record Condition(String rule, String text) {
    static final List<Condition> ALL = List.of(
            of(
                    Rule.ACTION_NOT_ALLOWED,
                    "action != \"buy\" && action != \"sell\" || action == \"sell\" && amount > held"),
            of(Rule.CRYPTO_MAX_ALLOCATION, sleeve("buy", "crypto", "sleeveAfter * 100 > totalAfter * 35")),
            of(Rule.CRYPTO_MIN_ALLOCATION, sleeve("sell", "crypto", "sleeveAfter * 100 < totalAfter * 10")),
            of(Rule.TRADFI_MAX_ALLOCATION, sleeve("buy", "tradfi", "sleeveAfter * 100 > totalAfter * 80")),
            of(Rule.TRADFI_MIN_ALLOCATION, sleeve("sell", "tradfi", "sleeveAfter * 100 < totalAfter * 55")),
            of(Rule.CASH_FLOOR, "cashAfter < cashBefore && amount <= cashBefore && cashAfter * 100 < totalAfter * 5"),
            of(Rule.SLIPPAGE_EXCEEDED, "slippage > 10000"),
            of(Rule.ASSET_AUTHORITY_PROTECT_SELL, "action == \"sell\" && asset == \"BTC\""));

    /** The condition with every fact spelled as a member of something. */
    String of(String owner) {
        return text.replaceAll("(?<![\"\\w])([a-zA-Z]+)(?![\"\\w])", owner + ".$1");
    }

    private static Condition of(Rule rule, String text) {
        return new Condition(rule.wireName(), text);
    }

    private static String sleeve(String action, String assetType, String limit) {
        return "action == \"" + action + "\" && assetType == \"" + assetType + "\" && " + limit;
    }
}
