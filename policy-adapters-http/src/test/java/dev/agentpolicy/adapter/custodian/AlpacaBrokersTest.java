package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.PATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.away;
import static dev.agentpolicy.adapter.custodian.Broker.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.port.InMemoryCustodianCredentials;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The account that credentials lead to. */
class AlpacaBrokersTest {
    private final Broker broker = new Broker();
    private final StandInAccount account = broker.standIn.account("one", "10000");
    private final AlpacaCustodian brokers =
            custodian(new AlpacaEndpoints(broker.transport(PATIENT), Optional.empty(), broker.transport(PATIENT)));

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void an_account_has_one_id_whichever_call_asks() {
        BrokerAccount first = asked(BrokerEnvironment.PAPER, account.secretKey());

        assertThat(first).isEqualTo(asked(BrokerEnvironment.PAPER, account.secretKey()));
    }

    @Test
    void accounts_that_cannot_be_connected_are_refused_with_a_sentence() {
        assertThat(refused(() -> asked(BrokerEnvironment.PAPER, "wrong")))
                .isEqualTo("Alpaca refused the credentials: request is not authorized.");
        assertThat(refused(() -> asked(BrokerEnvironment.LIVE, account.secretKey())))
                .isEqualTo("Accounts with real money are not allowed here; the operator can allow them.");
        assertThat(refused(() -> asked(BrokerEnvironment.PAPER, "two words")))
                .isEqualTo("secretKey must be 1 to 128 printable ASCII characters without spaces.");
        account.block(true);
        assertThat(refused(() -> asked(BrokerEnvironment.PAPER, account.secretKey())))
                .isEqualTo("The account at Alpaca is blocked from trading.");
    }

    @Test
    void a_kind_that_is_no_broker_is_refused() {
        BrokerCredentials credentials = new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret");

        assertThat(refused(() -> brokers.account(CustodianKind.PAPER, credentials)))
                .isEqualTo("Accounts of the kind paper cannot be connected.");
    }

    @Test
    void a_live_account_is_asked_for_at_the_address_of_live_accounts() {
        try (Broker live = new Broker()) {
            StandInAccount rich = live.standIn.account("rich", "1");
            AlpacaCustodian both = custodian(new AlpacaEndpoints(
                    broker.transport(PATIENT), Optional.of(live.transport(PATIENT)), live.transport(PATIENT)));

            both.account(
                    CustodianKind.ALPACA,
                    new BrokerCredentials(BrokerEnvironment.LIVE, rich.keyId(), rich.secretKey()));

            assertThat(live.standIn.calls()).containsExactly("GET /v2/account");
            assertThat(broker.standIn.calls()).isEmpty();
        }
    }

    @Test
    void a_broker_that_is_gone_is_away() {
        broker.close();

        away(() -> asked(BrokerEnvironment.PAPER, account.secretKey()));
    }

    private static AlpacaCustodian custodian(AlpacaEndpoints endpoints) {
        return new AlpacaCustodian(
                endpoints, new InMemoryCustodianCredentials(new InMemorySyncSchedule()), InstantSource.system());
    }

    private BrokerAccount asked(BrokerEnvironment environment, String secretKey) {
        return brokers.account(CustodianKind.ALPACA, new BrokerCredentials(environment, account.keyId(), secretKey));
    }
}
