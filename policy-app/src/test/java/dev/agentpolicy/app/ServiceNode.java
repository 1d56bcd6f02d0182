package dev.agentpolicy.app;

import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.Clocks;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A node of the service inside the test, on a free port; budgets are wide unless the test is about them. */
public record ServiceNode(Running running) implements AutoCloseable {

    public static ServiceNode start(Path folder, String database) {
        return start(folder, database, Map.of());
    }

    public static ServiceNode start(Path folder, String database, Map<String, String> settings) {
        return new ServiceNode(QuickService.start(Config.of(environment(folder, database, settings))));
    }

    /** Starts a node with other clocks than those of the machine. */
    public static ServiceNode start(Path folder, String database, Map<String, String> settings, Clocks clocks) {
        return new ServiceNode(QuickService.start(Config.of(environment(folder, database, settings)), clocks));
    }

    /** The environment variables of a node, in this process or in another; each database has its own state directory. */
    public static Map<String, String> environment(Path folder, String database, Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>();
        environment.put("POLICY_PORT", "0");
        environment.put("POLICY_DB_URL", database);
        environment.put(
                "POLICY_MASTER_KEY_FILE", folder.resolve("master-key.json").toString());
        environment.put("POLICY_STATE_DIR", stateDirectory(folder, database).toString());
        environment.put("POLICY_RATE_LIMIT_PER_SECOND", "100000");
        environment.put("POLICY_SIGNUPS_PER_HOUR", "0");
        environment.put("POLICY_MAX_PENDING_PER_KEY", "0");
        environment.put("POLICY_DECISIONS_PER_DAY", "0");
        environment.put("POLICY_IPS_VERSIONS_PER_DAY", "0");
        environment.put("POLICY_HOLDINGS_WRITES_PER_DAY", "0");
        environment.putAll(settings);
        return environment;
    }

    public static Path stateDirectory(Path folder, String database) {
        return folder.resolve("state-" + database.replaceAll("\\?.*", "").replaceAll("\\W+", "-"));
    }

    public ApiCaller caller() {
        return new ApiCaller(running.address());
    }

    @Override
    public void close() {
        running.close();
    }
}
