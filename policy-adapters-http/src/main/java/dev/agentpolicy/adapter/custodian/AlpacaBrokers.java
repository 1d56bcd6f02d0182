package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Given;
import dev.agentpolicy.domain.custodian.CustodianReply.Refused;
import dev.agentpolicy.domain.port.Brokers;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.util.concurrent.CompletableFuture;

/** Asks Alpaca for the account that credentials lead to. */
public final class AlpacaBrokers implements Brokers {
    private final AlpacaEndpoints endpoints;

    public AlpacaBrokers(AlpacaEndpoints endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    public BrokerAccount account(CustodianKind kind, BrokerCredentials credentials) {
        if (kind != CustodianKind.ALPACA) {
            throw CustodianFailure.refused("Accounts of the kind " + kind.wireName() + " cannot be connected.");
        }
        return BrokerReplies.await(endpoints
                .client(credentials)
                .then(client -> client.account().thenApply(BrokerReplies::ofRead))
                .thenCompose(reply -> reply.then(account -> CompletableFuture.completedFuture(usable(account)))));
    }

    private static CustodianReply<BrokerAccount> usable(AlpacaAccount account) {
        return account.problem()
                .<CustodianReply<BrokerAccount>>map(Refused::new)
                .orElseGet(() -> new Given<>(new BrokerAccount(account.id())));
    }
}
