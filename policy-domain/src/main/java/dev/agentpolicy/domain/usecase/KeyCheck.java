package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import java.util.Optional;

/** Checks inside a change whether the key of an admitted call still works. */
public interface KeyCheck {
    /** The key must be in the account with a secret that works, from an address it may be used from. */
    KeyCheck IN_ACCOUNT = (account, presented, address) ->
            account.key(presented.id()).filter(key -> key.admits(presented, address, account.now()));

    /** Accepts every key: it was checked when the call was admitted, and sandbox accounts have no keys. */
    KeyCheck AT_ADMISSION = (account, presented, address) -> Optional.of(presented);

    /** The current state of a key presented from an address; empty when it no longer works. */
    Optional<AgentKey> activeKey(Account account, AgentKey presented, String address);
}
