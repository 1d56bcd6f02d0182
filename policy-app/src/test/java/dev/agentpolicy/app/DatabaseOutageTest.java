package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.agentpolicy.app.FragileService.Fault;
import dev.agentpolicy.app.NumberedCall.Kind;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Running services whose PostgreSQL dies or cannot be reached, under load: callers get a 503 in time, the service
 * recovers by itself, nothing is lost and nothing is there twice. Each fault once, with {@code -Plong} 20 times, or
 * {@code -Doutages=}; commits whose answer is lost 20 times, with {@code -Plong} 1000 times, or {@code -DlostAnswers=}.
 */
class DatabaseOutageTest {
    private static final int OUTAGES = ExperimentSettings.times("outages", 1, 20);
    private static final int LOST_ANSWERS = ExperimentSettings.times("lostAnswers", 20, 1_000);
    private static final int MAX_ANSWERS = 80;
    private static final int MAX_OUTAGE_MILLIS = 300;

    /**
     * A silent server is given up after 10 s, and then there may be no connection for 5 s; the rest is for a slow machine.
     */
    private static final long MAX_ANSWER_MILLIS = 25_000;

    private static final Logger LOGS = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

    private final long seed = ExperimentSettings.seed(DatabaseOutageTest.class);

    @TempDir
    Path folder;

    /** Drops the warnings of refused calls, which are expected and would fill the output of the test. */
    @BeforeAll
    static void logErrorsOnly() {
        LOGS.setLevel(Level.ERROR);
    }

    @AfterAll
    static void logAgain() {
        LOGS.setLevel(Level.WARN);
    }

    /** All at once, as most of it is waiting. */
    @Test
    void callers_are_told_in_time_and_nothing_is_lost_or_done_twice() {
        Fault[] faults = Fault.values();
        ConcurrentCalls.calls(faults.length, i -> {
            try (FragileService service = FragileService.start(Files.createDirectory(folder.resolve("service" + i)))) {
                goAway(service, faults[i], new Random(seed + i));
                return true;
            } catch (Exception | AssertionError failed) {
                throw new AssertionError(faults[i] + ", seed " + seed, failed);
            }
        });
    }

    private void goAway(FragileService service, Fault fault, Random random) throws Exception {
        ProposalClient queue = ProposalClient.of(service.node().caller());
        RecoveryChecker reckoning =
                new RecoveryChecker(fault.name(), new IncrementalLog(folder.resolve(fault + ".json")));
        AtomicInteger numbers = new AtomicInteger(1);
        for (int outage = 0; outage < OUTAGES; outage++) {
            AccountLoad load = AccountLoad.on(queue, numbers);
            load.until(1 + random.nextInt(MAX_ANSWERS), NumberedCall::isAcknowledged);
            long begun = System.nanoTime();
            fault.begin(service);
            load.untilEachOf(Set.of(Kind.VALIDATE, Kind.BATCH, Kind.PROPOSE, Kind.AMEND, Kind.HOLD, Kind.SIGN_UP), 503);
            Thread.sleep(random.nextInt(MAX_OUTAGE_MILLIS));
            fault.end(service);
            long back = System.nanoTime();
            load.until(1, call -> call.kind() == Kind.VALIDATE && call.is(200));
            long recovered = System.nanoTime();
            Collection<NumberedCall> asked = load.end();
            System.out.printf(
                    "%s, seed %d: away for %d ms, longest answer %d ms, answering again after %d ms%n",
                    fault,
                    seed,
                    TimeUnit.NANOSECONDS.toMillis(back - begun),
                    longest(asked),
                    TimeUnit.NANOSECONDS.toMillis(recovered - back));
            everybodyWasTold(asked);
            reckoning.hold(queue, asked);
        }
        reckoning.close(queue);
        if (fault == Fault.CUT_AFTER_A_COMMIT) {
            assertThat(reckoning.othersInTheLog()).isPositive();
        }
    }

    /** By itself, so that the machine connects again in time; one call in ten may still be told to come back. */
    @Test
    void an_answer_of_a_commit_that_is_lost_is_found_out() throws Exception {
        try (FragileService service = FragileService.start(folder)) {
            loseAnswersOfCommits(service, new Random(seed));
        }
    }

    private void loseAnswersOfCommits(FragileService service, Random random) throws Exception {
        ProposalClient queue = ProposalClient.of(service.node().caller());
        RecoveryChecker reckoning =
                new RecoveryChecker("Lost answers", new IncrementalLog(folder.resolve("lost.json")));
        AccountLoad load = AccountLoad.on(queue, new AtomicInteger(1));
        for (int lost = 0; lost < LOST_ANSWERS; lost++) {
            service.wire().loseAnswersOfCommits(1);
            load.until(
                    1 + random.nextInt(MAX_ANSWERS / 8),
                    call -> call.isAcknowledged() && service.wire().hasLostThem());
        }
        Collection<NumberedCall> asked = load.end();
        System.out.printf("%d answers lost, seed %d, longest answer %d ms%n", LOST_ANSWERS, seed, longest(asked));
        everybodyWasTold(asked);
        assertThat(asked).filteredOn(call -> call.is(503)).hasSizeLessThanOrEqualTo(LOST_ANSWERS / 10);
        reckoning.hold(queue, asked);
        reckoning.close(queue);
    }

    private static void everybodyWasTold(Collection<NumberedCall> asked) {
        assertThat(asked).allSatisfy(call -> {
            assertThat(call.isAcknowledged() || call.isTooLate() || call.is(503))
                    .describedAs("%s", call)
                    .isTrue();
            assertThat(call.millis()).isLessThan(MAX_ANSWER_MILLIS);
            if (call.is(503)) {
                assertThat(call.answer().orElseThrow().header("Retry-After")).isEqualTo("1");
            }
        });
    }

    private static long longest(Collection<NumberedCall> asked) {
        return asked.stream().mapToLong(NumberedCall::millis).max().orElse(0);
    }
}
