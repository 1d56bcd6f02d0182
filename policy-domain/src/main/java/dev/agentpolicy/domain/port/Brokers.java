package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;

/** Asks brokers for the accounts that credentials lead to. */
public interface Brokers {

    /**
     * The account of these credentials. Blocks until the broker answers.
     *
     * @throws CustodianFailure a refusal when the broker refuses them, the account cannot trade, or the operator does not allow its
     *     environment
     */
    BrokerAccount account(CustodianKind kind, BrokerCredentials credentials);
}
