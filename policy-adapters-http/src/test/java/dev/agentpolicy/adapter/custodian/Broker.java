package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.alpaca.AlpacaStandIn;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A stand-in with a few assets, and clients of its accounts. */
final class Broker implements AutoCloseable {
    static final Instrument BTC = new Instrument(new AssetSymbol("BTC"), AssetType.CRYPTO);
    static final Instrument SPY = new Instrument(new AssetSymbol("SPY"), AssetType.TRADFI);

    /** Patient, for a machine that is busy with other tests. */
    static final RetryPolicy PATIENT =
            new RetryPolicy(4, Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(20));

    /** For tests in which the broker does not answer. */
    static final RetryPolicy IMPATIENT = PATIENT.withTimeout(Duration.ofMillis(300));

    private static final long MAX_WAIT_SECONDS = 120;

    final AlpacaStandIn standIn = AlpacaStandIn.start();

    Broker() {
        standIn.market().coin("BTC/USD", "50000").coin("ETH/USD", "2500");
        standIn.market().share("SPY", "500").share("AAPL", "200");
    }

    AlpacaClient client(StandInAccount account, RetryPolicy policy) {
        return client(account.keyId(), account.secretKey(), policy);
    }

    AlpacaClient client(String keyId, String secretKey, RetryPolicy policy) {
        return new AlpacaClient(transport(policy), AlpacaCredentials.of(keyId, secretKey));
    }

    AlpacaTransport transport(RetryPolicy policy) {
        return new AlpacaTransport(AlpacaAddress.of(standIn.address()), policy, InstantSource.system());
    }

    static NewOrder order(String id, Instrument instrument, Action action, String dollars) {
        return new NewOrder(id, instrument, action, Usd.of(dollars));
    }

    /** The answer of a call that must succeed. */
    static <T> T answer(CompletionStage<BrokerResult<T>> call) {
        return result(call)
                .fold(
                        Function.identity(),
                        refused -> {
                            throw new AssertionError(refused);
                        },
                        away -> {
                            throw new AssertionError(away);
                        });
    }

    static <T> BrokerResult<T> result(CompletionStage<BrokerResult<T>> call) {
        try {
            return call.toCompletableFuture().get(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            throw new AssertionError(failed);
        }
    }

    @Override
    public void close() {
        standIn.close();
    }
}
