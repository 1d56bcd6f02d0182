package dev.agentpolicy.adapter.jdbc.rate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.agentpolicy.adapter.jdbc.HeardOutages;
import dev.agentpolicy.adapter.jdbc.MortalPostgres;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounterContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Calls are admitted while the PostgreSQL that counts them is dead or hangs. */
class CountingOutageTest {
    private static final int LIMIT = CallCounterContract.LIMIT;
    private static final RateBudget FULL = RateBudget.full(LIMIT);

    @RegisterExtension
    final HeardOutages heard = new HeardOutages();

    @Test
    void no_call_is_refused_while_the_store_is_dead_and_counting_resumes_when_it_is_back(@TempDir Path folder)
            throws Exception {
        try (MortalPostgres postgres = new MortalPostgres(folder);
                SharedWindowCounter counter =
                        SharedWindowCounterTest.start(postgres.url(), SharedWindowCounter.DEFAULT_PATIENCE);
                Load load = new Load(counter)) {
            Thread.sleep(1_000);
            assertThat(counter.isStoreAway()).isFalse();
            assertThat(load.countedCalls()).isPositive();

            postgres.kill();
            eventually(Duration.ofSeconds(5), counter::isStoreAway);
            Instant now = Instant.now();
            for (int call = 0; call < 100 * LIMIT; call++) {
                assertThat(CallCounterContract.counted(counter, "caller", now)).isEqualTo(FULL);
            }

            postgres.restart();
            eventually(Duration.ofSeconds(30), () -> answers(postgres.url()));
            eventually(Duration.ofSeconds(5), () -> !counter.isStoreAway());
            int counted = load.countedCalls();
            eventually(Duration.ofSeconds(5), () -> load.countedCalls() > counted);
            assertThat(load.refusedCalls()).isZero();
        }
        assertThat(heard.levels()).containsExactly(Level.WARN, Level.INFO);
    }

    @Test
    void a_store_that_hangs_delays_no_call(@TempDir Path folder) throws Exception {
        try (MortalPostgres postgres = new MortalPostgres(folder);
                SharedWindowCounter counter =
                        SharedWindowCounterTest.start(postgres.url(), SharedWindowCounter.DEFAULT_PATIENCE)) {
            postgres.freeze();
            try {
                long begun = System.nanoTime();
                for (int call = 0; call < 200; call++) {
                    assertThat(CallCounterContract.counted(counter, "caller", Instant.now()))
                            .isEqualTo(FULL);
                }
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
                eventually(Duration.ofSeconds(10), counter::isStoreAway);
            } finally {
                postgres.thaw();
            }
            eventually(Duration.ofSeconds(5), () -> !counter.isStoreAway());
        }
        assertThat(heard.levels()).containsExactly(Level.WARN, Level.INFO);
    }

    @Test
    void a_service_starts_without_its_store_and_admits_every_call() {
        try (SharedWindowCounter counter = SharedWindowCounterTest.start(
                "jdbc:postgresql://127.0.0.1:1/nothing?user=nobody", SharedWindowCounter.DEFAULT_PATIENCE)) {
            assertThat(counter.isStoreAway()).isTrue();
            Instant now = Instant.now();
            for (int call = 0; call < 100 * LIMIT; call++) {
                assertThat(CallCounterContract.counted(counter, "caller", now)).isEqualTo(FULL);
            }
        }
        assertThat(heard.levels()).containsExactly(Level.WARN);
    }

    private static void eventually(Duration within, BooleanSupplier isSo) throws InterruptedException {
        long deadline = System.nanoTime() + within.toNanos();
        while (!isSo.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
        assertThat(isSo.getAsBoolean()).isTrue();
    }

    private static boolean answers(String url) {
        try (Connection connection = DriverManager.getConnection(url)) {
            return connection.isValid(1);
        } catch (SQLException away) {
            return false;
        }
    }

    /** Callers who keep well within the limit, so that each refusal is one too many. */
    private static final class Load implements AutoCloseable {
        private static final int CALLERS = 16;
        private static final int PAUSE_MILLIS = 25;

        private final SharedWindowCounter counter;
        private final AtomicInteger refused = new AtomicInteger();
        private final AtomicInteger counted = new AtomicInteger();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean isOver;

        Load(SharedWindowCounter counter) {
            this.counter = counter;
            for (int i = 0; i < CALLERS; i++) {
                String caller = "caller-" + i;
                threads.add(new Thread(() -> call(caller)));
            }
            threads.forEach(Thread::start);
        }

        private void call(String caller) {
            while (!isOver) {
                RateBudget budget = CallCounterContract.counted(counter, caller, Instant.now());
                refused.addAndGet(budget.isAdmitted() ? 0 : 1);
                counted.addAndGet(budget.equals(FULL) ? 0 : 1);
                try {
                    Thread.sleep(PAUSE_MILLIS);
                } catch (InterruptedException interrupted) {
                    return;
                }
            }
        }

        int refusedCalls() {
            return refused.get();
        }

        /** Calls whose budget was less than full, so that the store must have counted them. */
        int countedCalls() {
            return counted.get();
        }

        @Override
        public void close() {
            isOver = true;
            threads.forEach(Thread::interrupt);
        }
    }
}
