package dev.agentpolicy.app.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.Database;
import dev.agentpolicy.app.ServiceNode;
import dev.agentpolicy.app.ServiceProcess;
import dev.agentpolicy.app.TestHousehold;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process whose state directory has no room: the kernel refuses every file of more than a few bytes, as on a full disk. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "Limits of a running process are set with prlimit.")
class FullStateDirectoryTest {
    private static final long SEVERAL_ROUNDS_NANOS = TimeUnit.SECONDS.toNanos(3);

    @TempDir
    private Path folder;

    @Test
    void the_service_goes_on_and_records_the_last_heads_when_there_is_room_again() throws Exception {
        String url = Database.POSTGRES.fresh(folder);
        Path state = folder.resolve("state");
        Map<String, String> environment =
                ServiceNode.environment(folder, url, Map.of("POLICY_STATE_DIR", state.toString()));
        try (ServiceProcess process = ServiceProcess.start(folder, environment)) {
            ApiCaller agent =
                    TestHousehold.withPolicy(new ApiCaller(process.address())).agent();
            long before = decide(agent);
            await(() -> newest(state) >= before);

            limit(process, Long.toString(Files.size(file(state)) - 20));
            long until = System.nanoTime() + SEVERAL_ROUNDS_NANOS;
            long during = decide(agent);
            long first = during;
            while (System.nanoTime() < until) {
                during = decide(agent);
            }
            assertThat(newest(state)).describedAs("%s to %s", first, during).isEqualTo(before);

            limit(process, "unlimited");
            long last = during;
            await(() -> newest(state) >= last);
            process.terminate();
            assertThat(process.exitCode()).isZero();
        }
        ServiceNode.start(folder, url, Map.of("POLICY_STATE_DIR", state.toString()))
                .close();
    }

    private static long decide(ApiCaller agent) {
        return Long.parseLong(
                agent.post(TestHousehold.API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                        .ok()
                        .header("X-Policy-Event-Seq"));
    }

    /** Sets how long a file of the process may become. Its log is one as well, so it says nothing meanwhile. */
    private static void limit(ServiceProcess process, String bytes) throws Exception {
        Process prlimit = new ProcessBuilder("prlimit", "--pid", "" + process.pid(), "--fsize=" + bytes + ":unlimited")
                .redirectErrorStream(true)
                .start();
        String said = new String(prlimit.getInputStream().readAllBytes());
        assertThat(prlimit.waitFor()).describedAs(said).isZero();
    }

    private interface Condition {
        boolean isMet() throws Exception;
    }

    private static void await(Condition condition) throws Exception {
        for (int i = 0; i < 400; i++) {
            if (condition.isMet()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new AssertionError("It does not happen.");
    }

    private static Path file(Path state) throws IOException {
        try (Stream<Path> files = Files.list(state)) {
            return files.filter(it -> it.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static long newest(Path state) throws IOException {
        List<ChainHead> heads = new ArrayList<>();
        assertThat(HeadFiles.each(file(state), heads::add)).isZero();
        return heads.stream().mapToLong(ChainHead::seq).max().orElse(0);
    }
}
