package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import java.util.Optional;

/**
 * The Trading APIs that accounts may be at.
 *
 * @param paper for accounts without real money
 * @param live for accounts with real money; empty when the operator does not allow them
 * @param data the Market Data API, for both
 */
public record AlpacaEndpoints(AlpacaTransport paper, Optional<AlpacaTransport> live, AlpacaTransport data) {

    private static final int MAX_LENGTH = 128;

    /** @throws CustodianFailure when the credentials have a wrong form or their environment is not allowed */
    AlpacaClient client(BrokerCredentials credentials) {
        Optional<AlpacaTransport> transport =
                credentials.environment() == BrokerEnvironment.LIVE ? live : Optional.of(paper);
        if (transport.isEmpty()) {
            throw CustodianFailure.refused(
                    "Accounts with real money are not allowed here; the operator can allow them.");
        }
        check("keyId", credentials.keyId());
        check("secretKey", credentials.secretKey());
        return new AlpacaClient(transport.get(), data, credentials);
    }

    /** The message does not contain the value. */
    private static void check(String name, String value) {
        boolean isPrintable = value.chars().allMatch(c -> c >= '!' && c <= '~');
        if (value.isEmpty() || value.length() > MAX_LENGTH || !isPrintable) {
            throw CustodianFailure.refused(
                    name + " must be 1 to " + MAX_LENGTH + " printable ASCII characters without spaces.");
        }
    }
}
