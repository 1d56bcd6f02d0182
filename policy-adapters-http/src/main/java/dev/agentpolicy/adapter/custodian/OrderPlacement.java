package dev.agentpolicy.adapter.custodian;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.adapter.custodian.AlpacaTransport.BrokerCall;
import dev.agentpolicy.adapter.custodian.AlpacaTransport.CallOutcome;
import dev.agentpolicy.adapter.custodian.BrokerResult.Answered;
import dev.agentpolicy.adapter.custodian.BrokerResult.Declined;
import dev.agentpolicy.adapter.custodian.BrokerResult.Unreachable;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * The placing of one order: ask for it, send it if it is not there, and begin again after a doubt.
 *
 * <p>Between asking and sending, an earlier copy of the order may arrive at the broker. It accepts a client order id only
 * once, so that the later copy is refused; therefore nothing is believed about a refusal before the broker is asked
 * again. What answers to the client order id is the order, however the broker words it.
 */
final class OrderPlacement {
    /** Nothing is sent later, so that whoever must not send the order knows when no copy is on its way any more. */
    private static final Duration MAX_SENDING = Duration.ofSeconds(60);

    private static final Pattern NAMES_THE_ID = Pattern.compile("(?i).*client.?order.?id.*");

    private final AlpacaTransport transport;
    private final AlpacaCredentials credentials;
    private final AlpacaClient client;
    private final NewOrder order;
    private final BrokerCall<AlpacaOrder> call;
    private final long began = System.nanoTime();

    OrderPlacement(AlpacaTransport transport, AlpacaCredentials credentials, AlpacaClient client, NewOrder order) {
        this.transport = transport;
        this.credentials = credentials;
        this.client = client;
        this.order = order;
        this.call = new BrokerCall<>(
                "POST",
                "/v2/orders",
                body(order),
                AlpacaClient.answer(AlpacaReader.orderWithClientId(order.clientOrderId())));
    }

    CompletionStage<BrokerResult<AlpacaOrder>> run() {
        return find(() -> send(1, false));
    }

    /** What to do when the broker does not know the order. */
    private interface IfUnknown {
        CompletionStage<BrokerResult<AlpacaOrder>> next();
    }

    private CompletionStage<BrokerResult<AlpacaOrder>> find(IfUnknown unknown) {
        return client.orderByClientOrderId(order.clientOrderId())
                .thenCompose(result -> result.fold(
                        found -> found.map(OrderPlacement::settled).orElseGet(unknown::next),
                        declined -> CompletableFuture.completedStage(new Unreachable<>(
                                "Alpaca does not say whether it has the order: " + declined.reason())),
                        unreachable -> CompletableFuture.completedStage(new Unreachable<>(unreachable.reason()))));
    }

    private static CompletionStage<BrokerResult<AlpacaOrder>> settled(AlpacaOrder found) {
        return CompletableFuture.completedStage(new Answered<>(found));
    }

    /**
     * @param attempt counts from 1
     * @param mayExist whether an earlier attempt is in doubt
     */
    private CompletionStage<BrokerResult<AlpacaOrder>> send(int attempt, boolean mayExist) {
        if (System.nanoTime() - began > MAX_SENDING.toNanos()) {
            return CompletableFuture.completedStage(new Unreachable<>("Alpaca took too long to answer."));
        }
        return transport.once(credentials, call).thenCompose(outcome -> {
            if (outcome instanceof CallOutcome.Settled<AlpacaOrder> settled) {
                return settled.result()
                        .fold(
                                OrderPlacement::settled,
                                refused -> afterRefusal(refused, mayExist),
                                away -> CompletableFuture.completedStage(away));
            }
            return afterDoubt((CallOutcome.InDoubt<AlpacaOrder>) outcome, attempt);
        });
    }

    private CompletionStage<BrokerResult<AlpacaOrder>> afterDoubt(CallOutcome.InDoubt<AlpacaOrder> doubt, int attempt) {
        Optional<Duration> pause = transport.pause(doubt, attempt);
        if (pause.isEmpty()) {
            return find(() -> CompletableFuture.completedStage(new Unreachable<>(doubt.reason())));
        }
        return AlpacaTransport.after(pause.get()).thenCompose(done -> find(() -> send(attempt + 1, true)));
    }

    /**
     * An order that is refused while an earlier copy of it may be on its way could still come to be. Whoever asks again
     * later will know.
     */
    private CompletionStage<BrokerResult<AlpacaOrder>> afterRefusal(Declined<AlpacaOrder> refused, boolean mayExist) {
        boolean isTaken = NAMES_THE_ID.matcher(refused.reason()).matches();
        return find(() -> CompletableFuture.completedStage(
                mayExist || isTaken
                        ? new Unreachable<>("It is not known yet whether Alpaca has the order: " + refused.reason())
                        : refused));
    }

    private static String body(NewOrder order) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("symbol", AlpacaSymbols.forOrder(order.instrument()));
        body.put("notional", order.notional().toPlainString());
        body.put("side", order.action().wireName());
        body.put("type", NewOrder.TYPE);
        body.put("time_in_force", order.instrument().type() == AssetType.CRYPTO ? "gtc" : "day");
        body.put("client_order_id", order.clientOrderId());
        return body.toString();
    }
}
