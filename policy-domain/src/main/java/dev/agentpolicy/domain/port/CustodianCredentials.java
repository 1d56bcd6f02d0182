package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import java.util.Optional;

/**
 * Stores the credentials of synced custodians, sealed and bound to user and custodian. Methods block.
 *
 * <p>Credentials carry the version of the account's connections that they belong to, because what is stored and deleted
 * here follows changes of the account and may be overtaken by later ones.
 */
public interface CustodianCredentials {

    /**
     * Stores credentials in place of those of earlier versions, and has the custodian synced from now on. Durable on
     * return. False when those of a later version are stored.
     */
    boolean store(UserId user, String custodian, long version, BrokerCredentials credentials);

    /** The credentials of a custodian; empty when there are none. */
    Optional<BrokerCredentials> find(UserId user, String custodian);

    /**
     * Deletes the credentials of a custodian up to a version, which is then synced no more. False when there were none.
     */
    boolean delete(UserId user, String custodian, long version);
}
