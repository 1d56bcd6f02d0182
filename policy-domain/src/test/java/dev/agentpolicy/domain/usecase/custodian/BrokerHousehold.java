package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a user with holdings at a broker. After each, all verdicts follow from the chain. */
abstract class BrokerHousehold {
    static final Duration LATE_ARRIVAL = Duration.ofMinutes(2);

    final UseCaseFixture fixture = new UseCaseFixture();
    final Caller agent = fixture.agent("{}");

    /** 30 000 USD of BTC, 55 000 of SPY and 15 000 in cash at a broker. */
    @BeforeEach
    void connect() {
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        fixture.broker
                .cash(Usd.of(15_000))
                .position("BTC", AssetType.CRYPTO, "1", "30000")
                .position("SPY", AssetType.TRADFI, "100", "550");
        given(fixture.connect.connect(
                USER,
                "alpaca",
                new ConnectRequest(
                        CustodianKind.ALPACA,
                        "Alpaca",
                        new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"))));
        fixture.clock.advance(Duration.ofSeconds(10));
    }

    @AfterEach
    void every_verdict_follows_from_the_chain() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    /** Accepts a request whose order is open at the broker then. */
    long accepted(String trade) {
        long id = fixture.queued(agent, trade);
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.broker.isOpen(orderId(id))).isTrue();
        return id;
    }

    /** Accepts a request of which nobody knows whether its order is at the broker. */
    long acceptedWhileAway() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        fixture.broker.away("Alpaca does not answer.");
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.pending(id).order().isUnconfirmed()).isTrue();
        return id;
    }

    String orderId(long id) {
        return fixture.pending(id).order().clientOrderId();
    }

    void sync() {
        fixture.sync.sync(USER, "alpaca");
    }

    int openOrders() {
        return fixture.portfolio()
                .custodian("alpaca")
                .orElseThrow()
                .openOrders()
                .size();
    }

    String tally() {
        var tally = fixture.tally(agent);
        return "pending " + tally.pendingBuys() + " completed " + tally.completedBuys() + " requests "
                + tally.pending();
    }
}
