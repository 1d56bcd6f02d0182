package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads the fills that are in the chain. */
public interface FillLog {

    /** A fill of a custodian; empty when it is not recorded. */
    Optional<RecordedFill> find(UserId user, String custodian, String fillId);

    /** The fills of requests, in the order in which they were recorded. */
    List<RecordedFill> ofRequests(UserId user, Collection<Long> requests);

    /** The fills that no request explains, newest first. */
    List<RecordedFill> withoutRequest(UserId user, int limit);

    /** Whether any fill of this asset is recorded. */
    boolean isTraded(UserId user, AssetSymbol symbol);
}
