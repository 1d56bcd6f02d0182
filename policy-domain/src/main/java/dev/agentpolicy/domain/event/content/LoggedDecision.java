package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A decision and the row that records it. */
public final class LoggedDecision {
    private final PolicyEvent event;
    private final DecisionRecord decision;
    private final AtomicReference<byte @Nullable []> written = new AtomicReference<>();

    private LoggedDecision(PolicyEvent event, DecisionRecord decision) {
        this.event = event;
        this.decision = decision;
    }

    /** Reads the decision of a {@code guardrail.decision} row; empty when its payload was erased. */
    public static Optional<LoggedDecision> of(PolicyEvent event) {
        return Optional.ofNullable(event.payload())
                .map(payload -> new LoggedDecision(event, DecisionPayload.read(CanonicalForm.read(payload))));
    }

    /** The row that records the decision. */
    public PolicyEvent event() {
        return event;
    }

    /** The decision itself. */
    public DecisionRecord decision() {
        return decision;
    }

    /**
     * The decision as bytes, written by the first call and then kept. They take about as much memory as the payload.
     *
     * @param writer must be the same in every call
     */
    public byte[] written(Function<LoggedDecision, byte[]> writer) {
        byte[] bytes = written.get();
        if (bytes == null) {
            bytes = writer.apply(this);
            written.set(bytes);
        }
        return bytes;
    }
}
