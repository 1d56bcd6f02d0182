package dev.agentpolicy.domain.event.chain;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of a chain as far as it is shown to people, who do not verify it.
 *
 * @param seq its number in the chain
 * @param eventId unique
 * @param kind the kind of event
 * @param createdAt in microseconds
 * @param payload the canonical text, null when erased
 * @param hash 64 lower-case hex characters
 */
public record ScannedRow(
        long seq,
        UUID eventId,
        EventKind kind,
        Instant createdAt,
        @Nullable String payload,
        String hash) {

    /** The row without what verifies it. */
    public static ScannedRow of(PolicyEvent row) {
        return new ScannedRow(row.seq(), row.eventId(), row.kind(), row.createdAt(), row.payload(), row.hash());
    }
}
