package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.InMemoryCustodianCredentials;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.trade.Action;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** An account of the stand-in, connected as the custodian {@code alpaca} of a user. */
final class ConnectedAccount {
    static final String CUSTODIAN = "alpaca";

    final UserId user = new UserId(UUID.randomUUID());
    final AlpacaCustodian custodian;
    private final InMemoryCustodianCredentials credentials =
            new InMemoryCustodianCredentials(new InMemorySyncSchedule());

    ConnectedAccount(Broker broker, StandInAccount account, RetryPolicy policy) {
        custodian = new AlpacaCustodian(
                new AlpacaEndpoints(broker.transport(policy), Optional.empty(), broker.transport(policy)),
                credentials,
                InstantSource.system());
        connect(BrokerEnvironment.PAPER, account.keyId(), account.secretKey());
    }

    void connect(BrokerEnvironment environment, String keyId, String secretKey) {
        credentials.store(user, CUSTODIAN, 1, new BrokerCredentials(environment, keyId, secretKey));
    }

    void disconnect() {
        credentials.delete(user, CUSTODIAN, 1);
    }

    Order order(String clientOrderId, Instrument instrument, Action action, String dollars) {
        return new Order(
                clientOrderId,
                user,
                CUSTODIAN,
                CustodianKind.ALPACA,
                action,
                instrument.symbol(),
                instrument.type(),
                null,
                Broker.units(instrument, dollars),
                null,
                Broker.price(instrument));
    }

    OrderReport place(Order order) {
        return custodian.place(order);
    }

    OrderReport cancel(Order order) {
        return custodian.cancel(order);
    }

    CustodianReport sync(Order... open) {
        return sync(Instant.EPOCH, open);
    }

    CustodianReport sync(Instant since, Order... open) {
        return custodian.sync(
                new SyncQuery(user, CUSTODIAN, "My account", CustodianKind.ALPACA, 0, since, List.of(open)));
    }
}
