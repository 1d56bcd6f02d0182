package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.util.concurrent.CompletionStage;

/** Asks brokers for the accounts that credentials lead to. */
public interface Brokers {

    /**
     * The account of these credentials. Does not block.
     *
     * @return refused when the broker refuses them, the account cannot trade, or the operator does not allow its
     *     environment
     */
    CompletionStage<CustodianReply<BrokerAccount>> account(CustodianKind kind, BrokerCredentials credentials);
}
