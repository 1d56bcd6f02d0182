package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.BTC;
import static dev.agentpolicy.adapter.custodian.Broker.IMPATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.custodian.BrokerResult.Answered;
import dev.agentpolicy.adapter.custodian.BrokerResult.Unreachable;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.domain.trade.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many orders at a broker of which two calls in five fail, each in one of twelve ways. */
class OrdersUnderFaultsTest {
    private static final int ORDERS = 1_000;
    private static final int AT_A_TIME = 64;
    private static final int PERCENT = 40;
    private static final long SEED = 20_261_125;
    private static final long MAX_MINUTES = 5;

    @Test
    void each_order_exists_exactly_once_and_each_fill_is_read_exactly_once() throws Exception {
        try (Broker broker = new Broker()) {
            StandInAccount account = broker.standIn.account("one", "1000000");
            AlpacaClient client = broker.client(account, IMPATIENT);
            broker.standIn.faults().atRandom(SEED, PERCENT);
            Semaphore slots = new Semaphore(AT_A_TIME);
            Set<String> ids = new TreeSet<>();
            List<CompletableFuture<AlpacaOrder>> placed = new ArrayList<>();

            for (int i = 0; i < ORDERS; i++) {
                NewOrder order = order("request-" + i, BTC, Action.BUY, "10.01");
                ids.add(order.clientOrderId());
                slots.acquire();
                placed.add(untilPlaced(client, order)
                        .whenComplete((done, failed) -> slots.release())
                        .toCompletableFuture());
            }
            CompletableFuture.allOf(placed.toArray(CompletableFuture[]::new)).get(MAX_MINUTES, TimeUnit.MINUTES);
            Set<String> read = readAllFills(client);
            broker.standIn.faults().stop();

            assertThat(account.clientOrderIds()).hasSize(ORDERS).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(placed.stream().map(CompletableFuture::join).map(AlpacaOrder::id))
                    .hasSize(ORDERS)
                    .doesNotHaveDuplicates();
            assertThat(account.cash()).isEqualByComparingTo("989990");
            assertThat(account.fillIds()).hasSize(ORDERS);
            assertThat(read).containsExactlyInAnyOrderElementsOf(account.fillIds());
            assertThat(broker.standIn.faults().count()).isGreaterThan(ORDERS / 2);
        }
    }

    /** As a service does after a restart: the same order again, until the broker says what became of it. */
    private static CompletionStage<AlpacaOrder> untilPlaced(AlpacaClient client, NewOrder order) {
        return client.place(order).thenCompose(result -> {
            if (result instanceof Answered<AlpacaOrder> answered) {
                return CompletableFuture.completedStage(answered.value());
            }
            assertThat(result).isInstanceOf(Unreachable.class);
            return untilPlaced(client, order);
        });
    }

    private static Set<String> readAllFills(AlpacaClient client) {
        Set<String> read = new TreeSet<>();
        FillCursor cursor = FillCursor.start();
        boolean isComplete = false;
        while (!isComplete) {
            BrokerResult<FillBatch> result = Broker.result(client.fills(cursor));
            if (result instanceof Answered<FillBatch> answered) {
                for (AlpacaFill fill : answered.value().fills()) {
                    assertThat(read.add(fill.id())).isTrue();
                }
                cursor = answered.value().next();
                isComplete = answered.value().isComplete();
            }
        }
        return read;
    }
}
