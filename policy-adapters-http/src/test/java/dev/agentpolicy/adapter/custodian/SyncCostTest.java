package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.PATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.StandInAccount;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The processor time of the client when it syncs a thousand accounts, each with four calls. */
class SyncCostTest {
    private static final int ACCOUNTS = 1_000;
    private static final int AT_A_TIME = 16;
    /** The first one is spent on compiling, which a running service does once. */
    private static final int ROUNDS = 2;

    private static final Duration INTERVAL = Duration.ofSeconds(60);
    /** On a quiet machine it is below 5; a busy one may take several times as long. */
    private static final int MAX_PERCENT_OF_A_CORE = 25;

    private static final int PERCENT = 100;
    private static final long MAX_MINUTES = 2;

    @Test
    void a_thousand_accounts_cost_a_small_part_of_a_core() throws Exception {
        try (Broker broker = new Broker()) {
            AlpacaTransport transport = broker.transport(PATIENT);
            List<AlpacaClient> clients = new ArrayList<>();
            for (int i = 0; i < ACCOUNTS; i++) {
                StandInAccount account = broker.standIn
                        .account("account" + i, "10000")
                        .hold("BTC/USD", "0.1")
                        .hold("ETH/USD", "1")
                        .hold("SPY", "2")
                        .hold("AAPL", "3");
                account.tradeByHand("SPY", true, "1");
                clients.add(new AlpacaClient(transport, AlpacaCredentials.of(account.keyId(), account.secretKey())));
            }
            Duration least = INTERVAL;
            for (int round = 0; round < ROUNDS; round++) {
                Duration used = cost(clients);
                least = used.compareTo(least) < 0 ? used : least;
            }

            System.out.println("Syncing " + ACCOUNTS + " accounts took " + least.toMillis() + " ms of processor time.");
            assertThat(least)
                    .isPositive()
                    .isLessThan(INTERVAL.multipliedBy(MAX_PERCENT_OF_A_CORE).dividedBy(PERCENT));
        }
    }

    private static Duration cost(List<AlpacaClient> clients) throws Exception {
        long before = nanosOfClientThreads();
        syncAll(clients);
        return Duration.ofNanos(nanosOfClientThreads() - before);
    }

    private static void syncAll(List<AlpacaClient> clients) throws Exception {
        Semaphore slots = new Semaphore(AT_A_TIME);
        List<CompletableFuture<?>> syncs = new ArrayList<>();
        for (AlpacaClient client : clients) {
            slots.acquire();
            syncs.add(sync(client)
                    .whenComplete((done, failed) -> slots.release())
                    .thenAccept(result -> answer(CompletableFuture.completedStage(result)))
                    .toCompletableFuture());
        }
        CompletableFuture.allOf(syncs.toArray(CompletableFuture[]::new)).get(MAX_MINUTES, TimeUnit.MINUTES);
    }

    private static CompletionStage<BrokerResult<FillBatch>> sync(AlpacaClient client) {
        return client.account()
                .thenCompose(result -> result.then(account -> client.positions()))
                .thenCompose(result -> result.then(positions -> client.openOrders()))
                .thenCompose(result -> result.then(orders -> client.fills(FillCursor.start())));
    }

    /** Of the threads that send and read; the first call of a chain is sent by the test's own thread. */
    private static long nanosOfClientThreads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getAllThreadIds())
                .filter(id -> {
                    var thread = threads.getThreadInfo(id);
                    return thread != null
                            && (thread.getThreadName().startsWith("HttpClient-")
                                    || thread.getThreadName().startsWith("CompletableFuture")
                                    || id == Thread.currentThread().getId());
                })
                .map(id -> Math.max(0, threads.getThreadCpuTime(id)))
                .sum();
    }
}
