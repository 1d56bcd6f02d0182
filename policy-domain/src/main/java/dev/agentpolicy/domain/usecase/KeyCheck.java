package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import java.util.Optional;

/** Looks once more, while the account stands still, whether a key that was let in still works. */
public interface KeyCheck {
    /** The key must be in the account, with the same secret, neither revoked nor expired. */
    KeyCheck IN_ACCOUNT =
            (account, presented) -> account.key(presented.id()).filter(key -> key.admits(presented, account.now()));

    /** The check at the door was enough, as the account has no keys. */
    KeyCheck AT_ADMISSION = (account, presented) -> Optional.of(presented);

    /** The key as it stands now; empty when it no longer works. */
    Optional<AgentKey> activeKey(Account account, AgentKey presented);
}
