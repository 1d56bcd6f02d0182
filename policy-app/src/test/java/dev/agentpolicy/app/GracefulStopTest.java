package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is asked to end while it answers has lost nothing that it answered; {@link CrashTest} does not ask. */
class GracefulStopTest {
    private static final int AGENTS = 8;
    private static final int MIN_ANSWERS = 300;

    private final Queue<Seen> answered = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void a_process_told_to_stop_finishes_what_it_accepted_and_exits_with_0(Database database) throws Exception {
        String url = database.fresh(folder);
        try (ServiceProcess process = start(url)) {
            TestHousehold household = TestHousehold.withPolicy(new ApiCaller(process.address()));
            ApiCaller agent = household.agent();
            List<Thread> agents = keepAsking(agent);
            process.terminate();
            assertThat(process.exitCode()).describedAs(process.err()).isZero();
            join(agents);

            assertThat(answered).allMatch(seen -> seen.status() == 200);
            assertThat(process.err()).contains("Stopped").doesNotContain("ERROR");
            everythingAnsweredIsInTheChain(url, agent);
        }
    }

    @Test
    void a_demonstration_told_to_stop_while_it_is_made_exits_with_0() throws Exception {
        try (ServiceProcess demo = ServiceProcess.start(folder, Map.of("POLICY_PORT", "0"), "demo")) {
            demo.address();
            demo.terminate();

            assertThat(demo.exitCode()).describedAs(demo.err()).isZero();
            assertThat(demo.err()).contains("Stopped").doesNotContain("ERROR");
        }
    }

    @Test
    void a_process_told_to_stop_while_it_starts_exits_with_0() throws Exception {
        try (ServiceProcess process = start(Database.H2.fresh(folder))) {
            while (!Files.exists(folder.resolve("policy.mv.db"))) {
                Thread.sleep(2);
            }
            process.terminate();

            assertThat(process.exitCode()).describedAs(process.err()).isZero();
            assertThat(process.err()).contains("Stopped").doesNotContain("ERROR");
        }
    }

    private ServiceProcess start(String url) throws Exception {
        return ServiceProcess.startMain(folder, ServiceNode.environment(folder, url, Map.of()));
    }

    /** Agents that ask without a pause, until the service is gone; returns once they had enough answers. */
    private List<Thread> keepAsking(ApiCaller agent) throws InterruptedException {
        List<Thread> agents = IntStream.range(0, AGENTS)
                .mapToObj(i -> new Thread(() -> askUntilItIsGone(agent), "agent-" + i))
                .toList();
        agents.forEach(Thread::start);
        while (answered.size() < MIN_ANSWERS && broken.isEmpty()) {
            Thread.sleep(5);
        }
        assertThat(broken).isEmpty();
        return agents;
    }

    private void askUntilItIsGone(ApiCaller agent) {
        while (!isOver.get()) {
            try {
                answered.add(agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1")));
            } catch (RuntimeException | AssertionError gone) {
                broken.add(gone);
                return;
            }
        }
    }

    private void join(List<Thread> agents) throws InterruptedException {
        isOver.set(true);
        for (Thread each : agents) {
            each.join();
        }
        assertThat(broken).noneMatch(AssertionError.class::isInstance);
    }

    /** The next process on the same database tells the same story. */
    private void everythingAnsweredIsInTheChain(String url, ApiCaller agent) throws Exception {
        try (ServiceNode next = ServiceNode.start(folder, url)) {
            ChainPages chain = ChainPages.of(agent.at(next.running().address()));

            assertThat(answered).hasSizeGreaterThanOrEqualTo(MIN_ANSWERS);
            assertThat(answered)
                    .filteredOn(seen -> seen.status() == 200)
                    .allSatisfy(seen -> assertThat(chain.hashes())
                            .containsEntry(
                                    Long.valueOf(seen.header("X-Policy-Event-Seq")),
                                    seen.header("X-Policy-Event-Hash")));
            assertThat(chain.verdicts(folder)).allMatch(verdict -> verdict.startsWith("ok "));
        }
    }
}
