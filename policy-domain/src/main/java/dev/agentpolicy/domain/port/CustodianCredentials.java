package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Stores the credentials of synced custodians, sealed and bound to user and custodian. Methods do not block. */
public interface CustodianCredentials {

    /** Stores credentials in place of earlier ones, and has the custodian synced from now on. Durable on completion. */
    CompletionStage<Boolean> store(UserId user, String custodian, BrokerCredentials credentials);

    /** The credentials of a custodian; empty when there are none. */
    CompletionStage<Optional<BrokerCredentials>> find(UserId user, String custodian);

    /** Deletes the credentials of a custodian, which is synced no more. Completes with false when there were none. */
    CompletionStage<Boolean> delete(UserId user, String custodian);
}
