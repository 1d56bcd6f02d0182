package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A decision, and where it is logged. */
public final class LoggedDecision {
    private final PolicyEvent event;
    private final DecisionRecord decision;
    private final AtomicReference<byte @Nullable []> written = new AtomicReference<>();

    private LoggedDecision(PolicyEvent event, DecisionRecord decision) {
        this.event = event;
        this.decision = decision;
    }

    /** What a {@code guardrail.decision} row tells; empty when its payload was erased. */
    public static Optional<LoggedDecision> of(PolicyEvent event) {
        return Optional.ofNullable(event.payload())
                .map(payload -> new LoggedDecision(event, DecisionPayload.read(CanonicalForm.read(payload))));
    }

    /** The row of the chain. */
    public PolicyEvent event() {
        return event;
    }

    /** What its payload tells. */
    public DecisionRecord decision() {
        return decision;
    }

    /**
     * The decision as its reader writes it, which needs to be done once, as nothing of it ever changes. Who keeps the
     * decision keeps this beside it, in about as many bytes as the payload has.
     *
     * @param writer always the same
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
