package dev.agentpolicy.bench;

import static dev.agentpolicy.bench.Report.whole;

import dev.agentpolicy.bench.Cluster.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** From {@code java -jar} to the line that it listens, on H2, in the ways a JVM can be started. */
record StartBench(Cluster cluster, Report report) {
    private static final int STARTS = Integer.getInteger("bench.starts", 7);

    /** One way to start. */
    private record Way(String java, List<String> flags) {}

    void run() {
        Map<String, Way> ways = new LinkedHashMap<>();
        add(ways, "JDK " + Runtime.version().feature(), Cluster.java());
        String other = System.getProperty("bench.otherJava", "");
        if (!other.isEmpty()) {
            add(ways, "other JDK", other);
        }
        String url = cluster.fresh(Database.H2);
        cluster.service(url).close();
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int round = 0; round < STARTS; round++) {
            ways.forEach((name, way) -> {
                try (Program service = cluster.service(way.java, way.flags, url)) {
                    millis.computeIfAbsent(name, any -> new ArrayList<>()).add(service.readyMillis());
                }
            });
        }
        report.title("Start, an H2 database that is there, median of " + STARTS);
        report.head("way", "ms to ready");
        millis.forEach((name, all) -> report.row(
                name,
                whole(all.stream().sorted().skip(all.size() / 2).findFirst().orElseThrow())));
    }

    /** As it is, with an archive of classes, and with what JDK 25 and later can keep beside the classes. */
    private void add(Map<String, Way> ways, String name, String java) {
        ways.put(name, new Way(java, Cluster.flags()));
        train(ways, name + ", class archive", java, "ArchiveClassesAtExit", "SharedArchiveFile");
        train(ways, name + ", ahead-of-time cache", java, "AOTCacheOutput", "AOTCache");
    }

    /** A way that needs a file, which one training run writes when it ends, unless its JVM does not know how. */
    private void train(Map<String, Way> ways, String name, String java, String writing, String reading) {
        Path file = cluster.folder().resolve("trained" + ways.size());
        List<String> training = new ArrayList<>(Cluster.flags());
        training.add("-XX:+IgnoreUnrecognizedVMOptions");
        training.add("-XX:" + writing + "=" + file);
        cluster.service(java, training, cluster.fresh(Database.H2)).close();
        if (Files.exists(file)) {
            List<String> trained = new ArrayList<>(Cluster.flags());
            trained.add("-XX:" + reading + "=" + file);
            ways.put(name, new Way(java, trained));
        }
    }
}
