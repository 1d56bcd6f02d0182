package dev.agentpolicy.adapter.signing;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.SealedCredentials;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Credentials that are in clear only while they are used: what is stored is encrypted with the master key. */
record TinkCustodianCredentials(SealedCredentials stored, KeySafe safe) implements CustodianCredentials {
    private static final Logger LOG = LoggerFactory.getLogger(TinkCustodianCredentials.class);

    @Override
    public CompletionStage<Boolean> store(UserId user, String custodian, BrokerCredentials credentials) {
        return stored.store(
                user, custodian, credentials.environment(), active -> safe.seal(active, user, custodian, credentials));
    }

    @Override
    public CompletionStage<Optional<BrokerCredentials>> find(UserId user, String custodian) {
        return stored.find(user, custodian).thenApply(found -> found.map(safe::open));
    }

    @Override
    public CompletionStage<Boolean> delete(UserId user, String custodian) {
        return stored.delete(user, custodian);
    }
}
