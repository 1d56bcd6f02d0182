package dev.agentpolicy.app;

import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The service is killed (SIGKILL) again and again under load, at random, also while it starts or stops; each next process is
 * asked for everything that was acknowledged. One in ten lives for seconds. On each database 6 times, with {@code -Plong}
 * 500 times, or {@code -Dkills=}.
 */
class CrashTest {
    private static final int KILLS = ExperimentSettings.times("kills", 6, 500);
    private static final int ONE_IN = 5;
    private static final int MAX_ANSWERS = 80;
    private static final int MAX_MILLIS = 200;
    private static final int ONE_LONG_LIFE_IN = 10;
    /** Enough for a file of H2 to be tidied many times, and for what is free in it to be written over. */
    private static final int MAX_MILLIS_OF_A_LONG_LIFE = 12_000;

    private static final int MAX_MILLIS_OF_A_START = 2_000;
    private static final int MAX_MILLIS_OF_A_STOP = 1_000;

    private final long seed = ExperimentSettings.seed(CrashTest.class);
    private final Random random = new Random(seed);
    private final AtomicInteger numbers = new AtomicInteger(1);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void a_killed_service_has_lost_nothing_that_it_acknowledged_and_does_nothing_twice(Database database)
            throws Exception {
        String url = database.fresh(folder);
        ProposalClient queue;
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            queue = ProposalClient.of(node.caller());
        }
        RecoveryChecker reckoning = new RecoveryChecker(
                database + ", " + KILLS + " kills, seed " + seed, new IncrementalLog(folder.resolve("verified.json")));
        Collection<NumberedCall> asked = List.of();
        for (int kill = 0; kill < KILLS; kill++) {
            if (random.nextInt(ONE_IN) == 0) {
                killWhileItStarts(url);
            } else {
                asked = killUnderLoad(url, queue, reckoning, asked);
            }
        }
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            ProposalClient here = queue.at(node.caller().address());
            reckoning.hold(here, asked);
            reckoning.close(here);
        }
    }

    private void killWhileItStarts(String url) throws Exception {
        try (ServiceProcess process = start(url)) {
            Thread.sleep(random.nextInt(MAX_MILLIS_OF_A_START));
            process.kill();
            process.exitCode();
        }
    }

    private Collection<NumberedCall> killUnderLoad(
            String url, ProposalClient queue, RecoveryChecker reckoning, Collection<NumberedCall> before)
            throws Exception {
        try (ServiceProcess process = start(url)) {
            ProposalClient here = queue.at(process.address());
            reckoning.hold(here, before);
            AccountLoad load = AccountLoad.on(here, numbers);
            load.until(random.nextInt(MAX_ANSWERS), NumberedCall::isAcknowledged);
            boolean isLong = random.nextInt(ONE_LONG_LIFE_IN) == 0;
            Thread.sleep(random.nextInt(isLong ? MAX_MILLIS_OF_A_LONG_LIFE : MAX_MILLIS));
            if (random.nextInt(ONE_IN) == 0) {
                process.terminate();
                Thread.sleep(random.nextInt(MAX_MILLIS_OF_A_STOP));
            }
            process.kill();
            process.exitCode();
            return load.end();
        }
    }

    private ServiceProcess start(String url) throws Exception {
        return ServiceProcess.start(folder, ServiceNode.environment(folder, url, Map.of()));
    }
}
