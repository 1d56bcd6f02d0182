package dev.agentpolicy.bench;

import dev.agentpolicy.bench.Cluster.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Runs the parts that are asked for; see docs/performance.md. */
final class Bench {
    private Bench() {}

    /** Takes the jar of the service, then the names of parts. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("agent-policy-bench");
        Cluster cluster = new Cluster(folder, Path.of(arguments[0]).toAbsolutePath());
        Wrk wrk = new Wrk(folder);
        Report report = new Report();
        report.line("Java " + Runtime.version() + ", " + Runtime.getRuntime().availableProcessors() + " processors, "
                + "service and bare handler with " + String.join(" ", Cluster.flags()) + ", logs in " + folder);
        try {
            run(Set.copyOf(List.of(arguments[1].split(","))), cluster, wrk, report);
        } finally {
            cluster.deleteFilesOfDatabases();
        }
        System.exit(0);
    }

    private static void run(Set<String> parts, Cluster cluster, Wrk wrk, Report report) {
        HttpBench http = new HttpBench(cluster, wrk, report);
        for (String name :
                System.getProperty("bench.databases", "POSTGRESQL,H2").split(",")) {
            Database database = Database.valueOf(name);
            if (parts.contains("validate")) {
                http.validate(database);
            }
            if (parts.contains("reads")) {
                http.reads(database);
            }
            if (parts.contains("soak")) {
                new SoakBench(cluster, wrk, report).run(database);
            }
            if (parts.contains("growth")) {
                new GrowthBench(cluster, wrk, report).run(database);
            }
        }
        if (parts.contains("start")) {
            new StartBench(cluster, report).run();
        }
    }
}
