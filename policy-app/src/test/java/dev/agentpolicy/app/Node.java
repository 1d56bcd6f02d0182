package dev.agentpolicy.app;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A node of the service inside the test, on a free port; budgets are wide unless the test is about them. */
record Node(Running running) implements AutoCloseable {

    static Node start(Path folder, String database) {
        return start(folder, database, Map.of());
    }

    static Node start(Path folder, String database, Map<String, String> settings) {
        return new Node(Wiring.start(Config.of(environment(folder, database, settings))));
    }

    /** What a node is told, in this process or in one of its own. */
    static Map<String, String> environment(Path folder, String database, Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>();
        environment.put("POLICY_PORT", "0");
        environment.put("POLICY_DB_URL", database);
        environment.put(
                "POLICY_MASTER_KEY_FILE", folder.resolve("master-key.json").toString());
        environment.put("POLICY_RATE_LIMIT_PER_SECOND", "100000");
        environment.put("POLICY_SIGNUPS_PER_HOUR", "0");
        environment.putAll(settings);
        return environment;
    }

    Caller caller() {
        return new Caller(running.address());
    }

    @Override
    public void close() {
        running.close();
    }
}
