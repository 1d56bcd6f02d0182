package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A query for events in words, newest first (docs/reference/activity.md). An absent condition always holds.
 *
 * @param kinds only events of these kinds; empty for all
 * @param agentKeyId only events about this key, or about a request of this key
 * @param symbol only decisions and trades about this asset
 * @param rule only events about this rule
 * @param allowed only decisions with this verdict
 * @param text only events whose words contain this, in any case
 * @param from only events with {@code createdAt >= from}
 * @param to only events with {@code createdAt < to}
 */
public record ActivityQuery(
        Set<EventKind> kinds,
        Optional<AgentKeyId> agentKeyId,
        Optional<AssetSymbol> symbol,
        Optional<Rule> rule,
        Optional<Boolean> allowed,
        Optional<String> text,
        Optional<Instant> from,
        Optional<Instant> to) {
    public static final int DEFAULT_LIMIT = 50;
    public static final int MAX_LIMIT = 200;
    public static final int MAX_TEXT = 200;

    public ActivityQuery {
        kinds = Set.copyOf(kinds);
    }

    /** Everything. */
    public static ActivityQuery all() {
        return new ActivityQuery(
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The same query with the canonical symbol of its asset, which events have. */
    public ActivityQuery spelled(AssetResolver resolver) {
        return new ActivityQuery(kinds, agentKeyId, symbol.map(resolver::canonical), rule, allowed, text, from, to);
    }

    /** The scan that finds at least the events of the query, between two places of a chain. */
    public EventScan scan(long fromSeq, long before, int limit) {
        boolean wantsDecisions = kinds.isEmpty() || kinds.contains(EventKind.GUARDRAIL_DECISION);
        boolean wantsOthers = allowed.isEmpty() && (kinds.isEmpty() || kinds.size() > (wantsDecisions ? 1 : 0));
        return new EventScan(
                fromSeq, before, limit, wantsDecisions, wantsOthers, agentKeyId.orElse(null), allowed.orElse(null));
    }

    /**
     * Whether a row may fit, as far as that can be said without reading its payload as a document. Symbols and rules stand
     * in a payload as they are, between quotation marks.
     */
    public boolean mayFit(ScannedRow row) {
        String payload = row.payload();
        boolean isOfKind = kinds.isEmpty() || kinds.contains(row.kind());
        return isOfKind
                && (payload == null
                        ? !asksForContent()
                        : symbol.map(it -> contains(payload, it.value())).orElse(true)
                                && rule.map(it -> contains(payload, it.wireName()))
                                        .orElse(true));
    }

    /** Whether a condition is about what an erased event does not say any more. */
    private boolean asksForContent() {
        return agentKeyId.isPresent()
                || symbol.isPresent()
                || rule.isPresent()
                || allowed.isPresent()
                || text.isPresent();
    }

    private static boolean contains(String payload, String word) {
        return payload.contains('"' + word + '"');
    }
}
