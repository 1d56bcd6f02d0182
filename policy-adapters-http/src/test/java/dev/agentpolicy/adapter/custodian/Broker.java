package dev.agentpolicy.adapter.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.AlpacaStandIn;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/** A stand-in with a few assets, and clients of its accounts. */
final class Broker implements AutoCloseable {
    static final Instrument BTC = new Instrument(new AssetSymbol("BTC"), AssetType.CRYPTO);
    static final Instrument SPY = new Instrument(new AssetSymbol("SPY"), AssetType.TRADFI);

    /** Patient, for a machine that is busy with other tests. */
    static final RetryPolicy PATIENT =
            new RetryPolicy(4, Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(20));

    /** For tests in which the broker does not answer. */
    static final RetryPolicy IMPATIENT =
            new RetryPolicy(4, Duration.ofMillis(300), Duration.ofMillis(1), Duration.ofMillis(20));

    /** The same policy with another number of attempts. */
    static RetryPolicy attempts(int attempts, RetryPolicy policy) {
        return new RetryPolicy(attempts, policy.timeout(), policy.firstPause(), policy.maxPause());
    }

    final AlpacaStandIn standIn = AlpacaStandIn.start();

    Broker() {
        standIn.market().coin("BTC/USD", "50000").coin("ETH/USD", "2500");
        standIn.market().share("SPY", "500").share("AAPL", "200");
    }

    AlpacaClient client(StandInAccount account, RetryPolicy policy) {
        return client(account.keyId(), account.secretKey(), policy);
    }

    AlpacaClient client(String keyId, String secretKey, RetryPolicy policy) {
        return new AlpacaClient(
                transport(policy), transport(policy), new BrokerCredentials(BrokerEnvironment.PAPER, keyId, secretKey));
    }

    AlpacaTransport transport(RetryPolicy policy) {
        return new AlpacaTransport(URI.create(standIn.address()), policy, InstantSource.system());
    }

    /** An order for what an amount buys at the first price of the asset, with that price as its bound. */
    static NewOrder order(String id, Instrument instrument, Action action, String dollars) {
        return new NewOrder(id, instrument, action, units(instrument, dollars), price(instrument));
    }

    static BigDecimal units(Instrument instrument, String dollars) {
        return new BigDecimal(dollars).divide(price(instrument).value(), 9, RoundingMode.DOWN);
    }

    /** The price that an asset has at first; 1 USD for any other. */
    static Usd price(Instrument instrument) {
        return Usd.of(
                switch (instrument.symbol().value()) {
                    case "BTC", "BTCUSD", "BTC/USD" -> 50_000;
                    case "ETH" -> 2_500;
                    case "SPY" -> 500;
                    case "AAPL" -> 200;
                    default -> 1;
                });
    }

    interface Call<T> {
        T make() throws Declined;
    }

    /** The answer of a call that must succeed. */
    static <T> T answer(Call<T> call) {
        try {
            return call.make();
        } catch (Declined declined) {
            throw new AssertionError(declined);
        }
    }

    /** The status and the words with which the broker declines a call. */
    static String declined(Call<?> call) {
        try {
            throw new AssertionError(call.make());
        } catch (Declined declined) {
            return declined.getMessage();
        }
    }

    /** What is told of a call to a broker that is away. */
    static String away(Call<?> call) {
        CustodianFailure failure = failure(call);
        assertThat(failure.isRefusal()).describedAs(failure.reason()).isFalse();
        return failure.reason();
    }

    /** What is told of a call that is refused for good. */
    static String refused(Call<?> call) {
        CustodianFailure failure = failure(call);
        assertThat(failure.isRefusal()).describedAs(failure.reason()).isTrue();
        return failure.reason();
    }

    private static CustodianFailure failure(Call<?> call) {
        try {
            throw new AssertionError(call.make());
        } catch (CustodianFailure failure) {
            return failure;
        } catch (Declined declined) {
            throw new AssertionError(declined);
        }
    }

    @Override
    public void close() {
        standIn.close();
    }
}
