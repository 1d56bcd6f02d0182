package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import java.util.Collection;

/**
 * Which user has connected which account at a broker, so that no two have the same one. Accounts are kept as salted hashes
 * only. Methods block.
 */
public interface BrokerAccounts {

    /**
     * Notes that a user has an account, unless another user has it. Durable on return.
     *
     * @return whether the user has it
     */
    boolean claim(UserId user, BrokerAccount account);

    /** Forgets all accounts of a user but some. */
    void keepOnly(UserId user, Collection<BrokerAccount> accounts);
}
