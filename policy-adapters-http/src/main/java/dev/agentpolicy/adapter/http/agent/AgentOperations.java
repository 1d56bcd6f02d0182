package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;

/**
 * Everything that agents can ask for with their keys. The agent API and the MCP endpoint offer the same operations, so
 * that limits, counts and error texts are the same.
 */
public final class AgentOperations {
    private final ReadUsage usage;
    private final FairShare share;

    /**
     * Creates the operations.
     *
     * @param share limits reads, together with what the user reads in the app
     */
    public AgentOperations(ReadUsage usage, FairShare share) {
        this.usage = usage;
        this.share = share;
    }

    public Operation whoami() {
        return new Operation(Access.ANY_KEY, AgentStateEndpoints::whoami);
    }

    public Operation mandate() {
        return new Operation(Access.READ_WITH_KEY, AgentStateEndpoints::mandate);
    }

    public Operation holdings() {
        return new Operation(Access.READ_WITH_KEY, AgentStateEndpoints::holdings);
    }

    public Operation audit() {
        return new Operation(Access.READ, call -> AuditFeed.ofAgent(call, share));
    }

    public Operation validate() {
        return new Operation(Access.VALIDATE, ValidateEndpoints::one);
    }

    public Operation validateBatch() {
        return new Operation(Access.VALIDATE, ValidateEndpoints::batch);
    }

    public Operation headroom() {
        return new Operation(Access.READ_WITH_KEY, call -> HeadroomEndpoints.one(call, share));
    }

    public Operation headroomOfAll() {
        return new Operation(Access.READ_WITH_KEY, call -> HeadroomEndpoints.all(call, share));
    }

    /** The headroom of the asset that is asked for; of all assets, if none is. */
    public Operation headroomOfOneOrAll() {
        return new Operation(Access.READ_WITH_KEY, call -> HeadroomEndpoints.oneOrAll(call, share));
    }

    public Operation propose() {
        return new Operation(Access.PROPOSE, ProposeEndpoint::propose);
    }

    public Operation events() {
        return new Operation(Access.READ, call -> EventFeed.ofAgent(call, share));
    }

    public Operation usage() {
        return new Operation(Access.READ, call -> UsageFeed.ofAgent(call, usage, share));
    }
}
