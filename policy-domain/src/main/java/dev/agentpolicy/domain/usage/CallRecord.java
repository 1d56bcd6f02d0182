package dev.agentpolicy.domain.usage;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;

/**
 * One call of an agent, successful or not (specification, UsageResponse).
 *
 * @param userId the user the key acts for
 * @param agentKeyId the key of the agent
 * @param path the route, or {@link #UNKNOWN_PATH}
 * @param status HTTP status of the response
 * @param latencyMicros time from request to response in the server, in microseconds
 * @param at when the response was made
 */
public record CallRecord(
        UserId userId, AgentKeyId agentKeyId, String path, int status, long latencyMicros, Instant at) {
    /**
     * The path recorded for every call to a path that does not exist, so that callers cannot add routes to the counts.
     */
    public static final String UNKNOWN_PATH = "(unknown)";

    private static final int FIRST_ERROR = 400;

    public boolean isError() {
        return status >= FIRST_ERROR;
    }
}
