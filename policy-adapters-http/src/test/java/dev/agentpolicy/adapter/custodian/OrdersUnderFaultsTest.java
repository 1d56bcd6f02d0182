package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.BTC;
import static dev.agentpolicy.adapter.custodian.Broker.IMPATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Many orders at a broker of which two calls in five fail, each in one of twelve ways. */
class OrdersUnderFaultsTest {
    private static final int ORDERS = ExperimentSettings.times("orders", 167, 1_000);
    private static final BigDecimal LEFT =
            new BigDecimal("1000000").subtract(new BigDecimal("10.01").multiply(BigDecimal.valueOf(ORDERS)));
    private static final int AT_A_TIME = 64;
    private static final int PERCENT = 40;
    private static final long SEED = 20_261_125;
    private static final long MAX_MINUTES = 5;

    @Test
    void each_order_exists_exactly_once_and_each_fill_is_read_exactly_once() throws Exception {
        try (Broker broker = new Broker()) {
            StandInAccount account = broker.standIn.account("one", "1000000");
            ConnectedAccount connected = new ConnectedAccount(broker, account, IMPATIENT);
            broker.standIn.faults().atRandom(SEED, PERCENT);
            ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
            Set<String> ids = new TreeSet<>();
            List<CompletableFuture<OrderReport>> placed = new ArrayList<>();

            for (int i = 0; i < ORDERS; i++) {
                Order order = connected.order("request-" + i, BTC, Action.BUY, "10.01");
                ids.add(order.clientOrderId());
                placed.add(CompletableFuture.supplyAsync(() -> untilAnswered(() -> connected.place(order)), threads));
            }
            CompletableFuture.allOf(placed.toArray(CompletableFuture[]::new)).get(MAX_MINUTES, TimeUnit.MINUTES);
            threads.shutdown();
            CustodianReport report = untilAnswered(() -> connected.sync());
            broker.standIn.faults().stop();

            assertThat(account.clientOrderIds()).hasSize(ORDERS).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(placed.stream().map(CompletableFuture::join).map(OrderReport::externalId))
                    .hasSize(ORDERS)
                    .doesNotHaveDuplicates();
            assertThat(account.cash()).isEqualByComparingTo(LEFT);
            assertThat(account.fillIds()).hasSize(ORDERS);
            assertThat(report.fills()).extracting(Fill::id).containsExactlyInAnyOrderElementsOf(account.fillIds());
            assertThat(report.fills()).extracting(Fill::clientOrderId).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(report.holdings().cash()).isEqualTo(Usd.of(LEFT.toPlainString()));
            assertThat(broker.standIn.faults().count()).isGreaterThan(ORDERS / 2);
        }
    }

    /** As a service does after a restart: the same again, until the broker says what became of it. */
    private static <T> T untilAnswered(Supplier<T> call) {
        while (true) {
            try {
                return call.get();
            } catch (CustodianFailure failure) {
                assertThat(failure.isRefusal()).isFalse();
            }
        }
    }
}
