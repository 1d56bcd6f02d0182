package dev.agentpolicy.domain.usage;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;

/**
 * One call an agent made, whatever was answered (specification, UsageResponse).
 *
 * @param userId whom the key acts for
 * @param agentKeyId by which key
 * @param path the route, or {@link #UNKNOWN_PATH}
 * @param status HTTP status of the answer
 * @param latencyMicros from the request's arrival to its answer, in the server
 * @param at when it was answered
 */
public record CallRecord(
        UserId userId, AgentKeyId agentKeyId, String path, int status, long latencyMicros, Instant at) {
    /** The path of every call to a path that does not exist, so that strangers cannot make up routes to count. */
    public static final String UNKNOWN_PATH = "(unknown)";

    private static final int FIRST_ERROR = 400;

    public boolean isError() {
        return status >= FIRST_ERROR;
    }
}
