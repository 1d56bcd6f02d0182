package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.DecisionRecord.Actor;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the payload of an event of any kind says, as far as events are searched and filtered by it. A fact that its kind
 * does not have is null; an event whose payload was erased has none.
 */
public final class EventFacts {
    private final ScannedRow row;
    private final @Nullable Stored payload;
    /** The object that has action, symbol and amount; null when there is none. */
    private final @Nullable Stored trade;

    private EventFacts(ScannedRow row, @Nullable Stored payload) {
        this.row = row;
        this.payload = payload;
        this.trade = payload == null ? null : trade(row.kind(), payload);
    }

    /**
     * Reads a row.
     *
     * @throws IllegalStateException when this service did not write the payload
     */
    public static EventFacts of(ScannedRow row) {
        String text = row.payload();
        return new EventFacts(
                row, text == null ? null : new Stored(Document.parse(text).orElseThrow()));
    }

    private static @Nullable Stored trade(EventKind kind, Stored payload) {
        return kind == EventKind.TRADE_OBSERVED
                ? payload
                : kind == EventKind.GUARDRAIL_DECISION && payload.has("trade") ? payload.object("trade") : null;
    }

    /** The row. */
    public ScannedRow row() {
        return row;
    }

    public boolean isErased() {
        return payload == null;
    }

    public boolean isDecision() {
        return payload != null && row.kind() == EventKind.GUARDRAIL_DECISION;
    }

    /** The call that led to a decision. */
    public @Nullable Kind call() {
        return isDecision() ? payload().word("kind", Kind.class) : null;
    }

    /** Who asked for a decision. */
    public @Nullable Actor actor() {
        return isDecision() ? payload().word("actor", Actor.class) : null;
    }

    /** The key that an event is about. */
    public @Nullable AgentKeyId agentKeyId() {
        return payload != null && payload.has("agentKeyId")
                ? new AgentKeyId(UUID.fromString(payload.text("agentKeyId")))
                : null;
    }

    public @Nullable String symbol() {
        return trade == null ? null : trade.text(row.kind() == EventKind.TRADE_OBSERVED ? "symbol" : "assetSymbol");
    }

    public @Nullable AssetType assetType() {
        return trade == null ? null : trade.word("assetType", AssetType.class);
    }

    public @Nullable Action action() {
        return trade == null ? null : trade.word("action", Action.class);
    }

    public @Nullable Usd amount() {
        return trade == null ? null : new Usd(trade.decimal("amountUsd"));
    }

    /** The verdict of a decision; false too for a request that the user rejected. */
    public @Nullable Boolean allowed() {
        return isDecision() ? Boolean.valueOf(payload().truth("allowed")) : null;
    }

    /** The broken rules of a decision. */
    public List<Violation> violations() {
        return isDecision() ? DecisionDocument.violations(payload()) : List.of();
    }

    /** The rules that an event is about: those that a trade broke, or that of a drift. */
    public Stream<Rule> rules() {
        return isDrift()
                ? Stream.of(payload().word("rule", Rule.class))
                : violations().stream().map(Violation::rule).distinct();
    }

    public @Nullable Long serviceRequestId() {
        return payload == null ? null : payload.longOrNull("serviceRequestId");
    }

    /** The version of the policy: the one in force for a decision and a drift, the new one for a change of it. */
    public @Nullable Integer ipsVersion() {
        return payload == null ? null : payload.integerOrNull("ipsVersion");
    }

    /**
     * The event in words, as one sentence.
     *
     * @param agentName the present name of a key
     */
    public String text(Function<AgentKeyId, String> agentName) {
        return payload == null ? EventWords.erased(row.kind()) : EventWords.of(this, payload, agentName);
    }

    private boolean isDrift() {
        return payload != null && (row.kind() == EventKind.DRIFT_DETECTED || row.kind() == EventKind.DRIFT_CLEARED);
    }

    private Stored payload() {
        if (payload == null) {
            throw new IllegalStateException("The payload was erased.");
        }
        return payload;
    }
}
