package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKey;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Finds the key that a credential belongs to. */
public interface AgentKeys {

    /**
     * The key whose present credential has this hash, as last committed on any node. Nobody waits for it: it is done by a
     * thread that has to go on answering others, and fails with {@link Unavailable} when the store is away.
     */
    CompletionStage<Optional<AgentKey>> find(String credentialHash);

    /**
     * The same from memory, without waiting for anything; empty where memory does not know. A key revoked or rotated
     * elsewhere may still be found, so whoever acts on it looks again inside the change, or with what is read.
     */
    Optional<AgentKey> recall(String credentialHash);
}
