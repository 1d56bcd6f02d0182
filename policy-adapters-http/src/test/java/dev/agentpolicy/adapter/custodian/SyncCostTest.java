package dev.agentpolicy.adapter.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.agentpolicy.alpaca.StandInProcess;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.InMemoryCustodianCredentials;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The processor time of this process when it syncs a thousand accounts at a stand-in in another process. */
@EnabledIfSystemProperty(named = "experiments", matches = "long")
class SyncCostTest {
    private static final int ACCOUNTS = 1_000;
    private static final int AT_A_TIME = 16;
    /** The first one is spent on compiling, which a running service does once. */
    private static final int ROUNDS = ExperimentSettings.times("rounds", 2, 6);

    private static final Duration INTERVAL = Duration.ofSeconds(60);
    /** The aim is 5 on a quiet machine; a busy one may take several times as long. */
    private static final int MAX_PERCENT_OF_A_CORE = 25;

    private static final int PERCENT = 100;
    private static final long MAX_MINUTES = 2;

    @Test
    void a_thousand_accounts_cost_a_small_part_of_a_core() throws Exception {
        Process process = standIn();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            AlpacaTransport transport =
                    new AlpacaTransport(URI.create(out.readLine()), Broker.PATIENT, InstantSource.system());
            InMemoryCustodianCredentials credentials = new InMemoryCustodianCredentials(new InMemorySyncSchedule());
            AlpacaCustodian custodian = new AlpacaCustodian(
                    new AlpacaEndpoints(transport, Optional.empty(), transport), credentials, InstantSource.system());
            List<SyncQuery> queries = queries(credentials);
            List<Long> millis = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                millis.add(cost(custodian, queries).toMillis());
            }

            System.out.println("Syncing " + ACCOUNTS + " accounts took " + millis + " ms of processor time.");
            long least = millis.stream().mapToLong(Long::longValue).min().orElseThrow();
            assertThat(least)
                    .isPositive()
                    .isLessThan(INTERVAL.multipliedBy(MAX_PERCENT_OF_A_CORE)
                            .dividedBy(PERCENT)
                            .toMillis());
        } finally {
            process.destroy();
        }
    }

    private static Process standIn() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new ProcessBuilder(java, "-cp", classes, StandInProcess.class.getName(), String.valueOf(ACCOUNTS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<SyncQuery> queries(InMemoryCustodianCredentials credentials) {
        List<SyncQuery> queries = new ArrayList<>();
        for (int i = 0; i < ACCOUNTS; i++) {
            UserId user = new UserId(UUID.randomUUID());
            BrokerCredentials key =
                    new BrokerCredentials(BrokerEnvironment.PAPER, "PKaccount" + i, "secret-of-account" + i);
            credentials.store(user, "alpaca", 1, key);
            queries.add(new SyncQuery(
                    user,
                    "alpaca",
                    "Alpaca",
                    CustodianKind.ALPACA,
                    1,
                    Instant.now().minusSeconds(900),
                    List.of()));
        }
        return queries;
    }

    private static Duration cost(AlpacaCustodian custodian, List<SyncQuery> queries) throws Exception {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = system.getProcessCpuTime();
        syncAll(custodian, queries);
        return Duration.ofNanos(system.getProcessCpuTime() - before);
    }

    private static void syncAll(AlpacaCustodian custodian, List<SyncQuery> queries) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        List<CompletableFuture<?>> syncs = new ArrayList<>();
        for (SyncQuery query : queries) {
            syncs.add(CompletableFuture.runAsync(() -> custodian.sync(query), threads));
        }
        CompletableFuture.allOf(syncs.toArray(CompletableFuture[]::new)).get(MAX_MINUTES, TimeUnit.MINUTES);
        threads.shutdown();
    }
}
