package dev.agentpolicy.app;

import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.connection.PublicHttps;
import dev.agentpolicy.app.guard.Clocks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The whole service in this process, on a free port, with a database of its own that ends with it. */
public final class RunningService implements AutoCloseable {
    private final Running running;

    private RunningService(Running running) {
        this.running = running;
    }

    /** Starts it; its keys are kept in the directory. */
    public static RunningService start(Path directory) {
        return start(directory, Map.of());
    }

    /** Starts it with more settings; its keys are kept in the directory. */
    public static RunningService start(Path directory, Map<String, String> settings) {
        return start(directory, settings, Clocks.system());
    }

    /** Starts it with clocks that a test moves. */
    public static RunningService start(Path directory, Map<String, String> settings, Clocks clocks) {
        return new RunningService(QuickService.start(Config.of(environment(directory, settings)), clocks));
    }

    /** Starts it with another way to call push services. */
    public static RunningService pushing(Path directory, Function<Executor, PublicHttps> web) {
        return new RunningService(
                QuickService.start(Config.of(environment(directory, Map.of("POLICY_PUSH", "on"))), web));
    }

    /**
     * A service with the user and the history of the demonstration.
     *
     * @param email to sign in with
     * @param password likewise
     * @param key of its agent
     */
    public record Demonstration(RunningService service, String email, String password, String key) {

        /** Starts it; its keys are kept in the directory. */
        public static Demonstration start(Path directory) {
            DemoClock clock = new DemoClock(Duration.ofDays(DemoHistory.DAYS));
            RunningService service = RunningService.start(directory, Map.of(), Clocks.leaping(clock));
            DemoUser user = DemoHistory.make(service.running, clock);
            return new Demonstration(
                    service,
                    DemoUser.EMAIL,
                    Objects.requireNonNull(user.password()),
                    user.live().reveal());
        }
    }

    private static Map<String, String> environment(Path directory, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "POLICY_PORT",
                "0",
                "POLICY_DB_URL",
                "jdbc:h2:mem:" + UUID.randomUUID(),
                "POLICY_RATE_LIMIT_PER_SECOND",
                "1000",
                "POLICY_SIGNUPS_PER_HOUR",
                "0",
                "POLICY_MAX_PENDING_PER_KEY",
                "0",
                "POLICY_MASTER_KEY_FILE",
                directory.resolve("master-key.json").toString()));
        all.putAll(settings);
        return all;
    }

    /** {@code http://host:port}. */
    public String address() {
        return running.address();
    }

    @Override
    public void close() {
        running.close();
    }
}
