package dev.agentpolicy.bench;

import static dev.agentpolicy.bench.Report.two;
import static dev.agentpolicy.bench.Report.whole;

import dev.agentpolicy.bench.Cluster.Database;
import dev.agentpolicy.bench.Wrk.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Writing and reading over HTTP beside the physical limit of the same machine in the same minutes. */
record HttpBench(Cluster cluster, Wrk wrk, Report report) {
    private static final int ACCOUNTS = 50;
    private static final int KEYS = 2;
    private static final int[] CONNECTIONS = {32, 128};
    private static final String LIMIT = "bare handler";

    /** Validate: decided, signed and durable before it is answered. */
    void validate(Database database) {
        try (Program bare = cluster.bare();
                Program service = cluster.service(cluster.fresh(database))) {
            List<BenchHousehold> households = households(service);
            Path many = Calls.validate(cluster.folder().resolve("many"), keys(households));
            Path hot = Calls.validate(
                    cluster.folder().resolve("hot"), households.get(0).keys());
            Rounds rounds = new Rounds(wrk);
            for (int connections : CONNECTIONS) {
                rounds.add(LIMIT + ", " + connections, bare, many, connections)
                        .add(ACCOUNTS + " accounts, " + connections, service, many, connections)
                        .add("one account, " + connections, service, hot, connections);
            }
            rounds.run();
            report.title("Validate, " + database);
            report.head("calls, connections", "req/s", "of the limit", "p50 ms", "p99 ms", "CPU µs", "switches");
            for (int connections : CONNECTIONS) {
                for (String name : List.of(LIMIT, ACCOUNTS + " accounts", "one account")) {
                    row(rounds, name + ", " + connections, LIMIT + ", " + connections);
                }
            }
            report.line("\nResident memory of the service: " + service.memory("VmRSS") + " MB after, at most "
                    + service.memory("VmHWM") + " MB.");
        }
    }

    /** Reads of accounts with some decisions in each. */
    void reads(Database database) {
        try (Program bare = cluster.bare();
                Program service = cluster.service(cluster.fresh(database))) {
            List<String> keys = keys(households(service));
            Path validate = Calls.validate(cluster.folder().resolve("many"), keys);
            wrk.run(service, validate, 32, 5);
            Rounds rounds = new Rounds(wrk).add(LIMIT, bare, validate, 32);
            List<String> reads = List.of("whoami", "mandate", "holdings", "audit?limit=25", "policy/events?limit=100");
            Map<String, Integer> bytes = new HashMap<>();
            for (String read : reads) {
                Path file = cluster.folder().resolve(read.replaceAll("\\W", "-"));
                rounds.add(read, service, Calls.get(file, read, keys), 32);
                int many = BenchHousehold.bytes(service.address(), Calls.API + read, keys.get(0));
                bytes.put(read, many);
                Path asMany = Calls.get(cluster.folder().resolve("bytes-" + many), "bytes/" + many, keys);
                rounds.add(LIMIT + " of " + read, bare, asMany, 32);
            }
            rounds.run();
            report.title("Reads, " + database + ", 32 connections");
            report.head("call", "req/s", "of the limit", "p50 ms", "p99 ms", "CPU µs", "switches");
            row(rounds, LIMIT, LIMIT);
            reads.forEach(read -> row(rounds, read, LIMIT));
            report.title("The same beside a bare handler that answers as many bytes");
            report.head("call", "bytes", "bare req/s", "of that");
            for (String read : reads) {
                double bareRate = rounds.perSecond(LIMIT + " of " + read);
                report.row(
                        read,
                        Integer.toString(bytes.get(read)),
                        whole(bareRate),
                        two(rounds.perSecond(read) / bareRate));
            }
        }
    }

    private void row(Rounds rounds, String name, String limit) {
        report.row(
                name,
                whole(rounds.perSecond(name)),
                two(rounds.perSecond(name) / rounds.perSecond(limit)),
                two(rounds.median(name, Result::p50)),
                two(rounds.median(name, Result::p99)),
                whole(rounds.median(name, Result::micros)),
                two(rounds.median(name, Result::switches)));
    }

    private static List<BenchHousehold> households(Program service) {
        return IntStream.range(0, ACCOUNTS)
                .mapToObj(i -> BenchHousehold.signUp(service.address(), i, KEYS))
                .toList();
    }

    /** Keys of neighbours in the list belong to different accounts. */
    private static List<String> keys(List<BenchHousehold> households) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            for (BenchHousehold household : households) {
                keys.add(household.keys().get(i));
            }
        }
        return keys;
    }
}
