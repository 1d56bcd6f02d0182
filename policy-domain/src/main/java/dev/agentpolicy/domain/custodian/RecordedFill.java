package dev.agentpolicy.domain.custodian;

import static dev.agentpolicy.domain.document.Schema.inline;
import static dev.agentpolicy.domain.document.Schema.nullable;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A fill that is in the chain.
 *
 * @param fill what was traded
 * @param requestId the request whose order was filled; null when the user traded at the custodian
 */
public record RecordedFill(Fill fill, @Nullable Long requestId) {
    /** The members of a stored fill. */
    public static final Schema<RecordedFill> STORED = Schema.of(
            row -> new RecordedFill(row.next(), row.next()),
            inline(Fill.STORED, RecordedFill::fill),
            nullable("requestId", Codec.LONG, RecordedFill::requestId));
}
