package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import java.util.Optional;

/** Checks inside a change whether the key of an admitted call still works. */
public interface KeyCheck {
    /** The key must be in the account with the same secret, neither revoked nor expired. */
    KeyCheck IN_ACCOUNT =
            (account, presented) -> account.key(presented.id()).filter(key -> key.admits(presented, account.now()));

    /** Accepts every key: it was checked when the call was admitted, and sandbox accounts have no keys. */
    KeyCheck AT_ADMISSION = (account, presented) -> Optional.of(presented);

    /** The current state of a presented key; empty when it no longer works. */
    Optional<AgentKey> activeKey(Account account, AgentKey presented);
}
