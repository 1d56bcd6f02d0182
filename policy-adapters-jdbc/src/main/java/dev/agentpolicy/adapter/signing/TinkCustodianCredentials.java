package dev.agentpolicy.adapter.signing;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.SealedCredentials;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Credentials that are in clear only while they are used: what is stored is encrypted with the master key. */
record TinkCustodianCredentials(SealedCredentials stored, KeySafe safe) implements CustodianCredentials {
    private static final Logger LOG = LoggerFactory.getLogger(TinkCustodianCredentials.class);

    /** A node whose master key file is old says so in its log. No restart is needed after the file was replaced. */
    @Override
    public boolean store(UserId user, String custodian, long version, BrokerCredentials credentials) {
        try {
            return stored.store(
                    user,
                    custodian,
                    version,
                    credentials.environment(),
                    active -> safe.seal(active, user, custodian, credentials));
        } catch (UnusableKeys sealedByAnother) {
            LOG.error("No credentials of custodians can be stored: {}", sealedByAnother.getMessage());
            throw new Unavailable("The credentials of custodians cannot be stored now.", sealedByAnother);
        }
    }

    @Override
    public Optional<BrokerCredentials> find(UserId user, String custodian) {
        return stored.find(user, custodian).map(safe::open);
    }

    @Override
    public boolean delete(UserId user, String custodian, long version) {
        return stored.delete(user, custodian, version);
    }
}
