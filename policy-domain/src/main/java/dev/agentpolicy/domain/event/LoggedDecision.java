package dev.agentpolicy.domain.event;

import java.util.Optional;

/**
 * A decision, and where it is logged.
 *
 * @param event the row of the chain
 * @param decision what its payload tells
 */
public record LoggedDecision(PolicyEvent event, DecisionRecord decision) {

    /** What a {@code guardrail.decision} row tells; empty when its payload was erased. */
    public static Optional<LoggedDecision> of(PolicyEvent event) {
        return Optional.ofNullable(event.payload())
                .map(payload -> new LoggedDecision(event, DecisionPayload.read(CanonicalForm.read(payload))));
    }
}
