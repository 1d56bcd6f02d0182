package dev.agentpolicy.bench;

import static dev.agentpolicy.bench.Report.whole;

import dev.agentpolicy.bench.Cluster.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Load for many minutes, and what the heap holds after a full collection in every one of them. */
record SoakBench(Cluster cluster, Wrk wrk, Report report) {
    private static final int MINUTES = Integer.getInteger("bench.minutes", 20);
    private static final int CONNECTIONS = Integer.getInteger("bench.connections", 32);

    void run(Database database) {
        try (Program service = cluster.service(cluster.fresh(database))) {
            List<String> keys = BenchHousehold.signUp(service.address(), 0, 20).keys();
            Path calls = Calls.validate(cluster.folder().resolve("soak"), keys);
            report.title("Soak, " + database + ", " + CONNECTIONS + " connections, " + MINUTES + " minutes");
            report.head("minute", "req/s", "live heap MB", "resident MB");
            for (int minute = 1; minute <= MINUTES; minute++) {
                double perSecond = wrk.run(service, calls, CONNECTIONS, 60).perSecond();
                report.row(
                        Integer.toString(minute),
                        whole(perSecond),
                        whole(liveMegabytes(service.pid())),
                        Long.toString(service.memory("VmRSS")));
            }
        }
    }

    /** What is left of the heap after a full collection, summed over its classes. */
    private static double liveMegabytes(long pid) {
        try {
            Process histogram = new ProcessBuilder("jcmd", Long.toString(pid), "GC.class_histogram").start();
            String said = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String[] total = said.substring(said.lastIndexOf("Total")).trim().split("\\s+");
            return Long.parseLong(total[2]) / 1e6;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
