package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.AlpacaStandIn;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.app.NpmProject.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Alpaca's own client takes the stand-in of the broker for the broker. */
class AlpacaOfficialClientTest {
    @Test
    void the_official_client_does_with_the_stand_in_what_the_service_does() throws Exception {
        NpmProject client = NpmProject.install("node/alpaca", "the stand-in of the broker with Alpaca's own client");
        try (AlpacaStandIn standIn = AlpacaStandIn.start()) {
            standIn.market().coin("BTC/USD", "50000").share("SPY", "500");
            StandInAccount account = standIn.account("own", "10000");
            StandInAccount limited = standIn.account("limited", "1");
            limited.limitCallsPerMinute(1);
            standIn.market().bidAndAsk("SPY", "499.5", "500.5", Duration.ZERO);

            Result result = client.run(
                    Map.of(
                            "BASE_URL", standIn.address(),
                            "KEY_ID", account.keyId(),
                            "SECRET_KEY", account.secretKey(),
                            "LIMITED_KEY_ID", limited.keyId(),
                            "LIMITED_SECRET_KEY", limited.secretKey()),
                    List.of("npm", "--silent", "start"));

            assertThat(result.exitCode()).describedAs(result.text()).isZero();
            assertThat(result.text())
                    .contains("quotes    499.5 500.5", "order     filled 0.0024", "fills     3", "cancel    sdk-8");
            assertThat(account.clientOrderIds()).containsExactly("sdk-1", "sdk-6", "sdk-7", "sdk-8");
        }
    }
}
