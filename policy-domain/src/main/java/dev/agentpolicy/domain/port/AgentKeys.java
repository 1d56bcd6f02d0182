package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKey;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Finds the agent key of a credential. */
public interface AgentKeys {

    /**
     * The key whose current credential has this hash, as last committed on any node. Does not block. Completes on a
     * thread that serves other calls, so callbacks must not block; fails with {@link Unavailable} when the store cannot
     * be reached.
     */
    CompletionStage<Optional<AgentKey>> find(String credentialHash);

    /**
     * The same from a cache, without any I/O; empty when the cache does not have it. The key may have been revoked or
     * rotated on another node, so callers must check it again inside the change, or together with what they read.
     */
    Optional<AgentKey> recall(String credentialHash);
}
