package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Given;
import dev.agentpolicy.domain.custodian.CustodianReply.Refused;
import java.util.Optional;

/**
 * The Trading APIs that accounts may be at.
 *
 * @param paper for accounts without real money
 * @param live for accounts with real money; empty when the operator does not allow them
 */
public record AlpacaEndpoints(AlpacaTransport paper, Optional<AlpacaTransport> live) {

    /** The account that credentials lead to; refused when they have a wrong form or their environment is not allowed. */
    CustodianReply<AlpacaClient> client(BrokerCredentials credentials) {
        Optional<AlpacaTransport> transport =
                credentials.environment() == BrokerEnvironment.LIVE ? live : Optional.of(paper);
        if (transport.isEmpty()) {
            return new Refused<>("Accounts with real money are not allowed here; the operator can allow them.");
        }
        try {
            return new Given<>(new AlpacaClient(
                    transport.get(), AlpacaCredentials.of(credentials.keyId(), credentials.secretKey())));
        } catch (IllegalArgumentException malformed) {
            return new Refused<>(String.valueOf(malformed.getMessage()));
        }
    }
}
