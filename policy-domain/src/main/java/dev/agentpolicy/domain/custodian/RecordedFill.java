package dev.agentpolicy.domain.custodian;

import org.jspecify.annotations.Nullable;

/**
 * A fill that is in the chain.
 *
 * @param fill what was traded
 * @param requestId the request whose order was filled; null when the user traded at the custodian
 */
public record RecordedFill(Fill fill, @Nullable Long requestId) {}
