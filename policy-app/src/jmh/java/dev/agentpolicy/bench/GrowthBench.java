package dev.agentpolicy.bench;

import static dev.agentpolicy.bench.Report.two;
import static dev.agentpolicy.bench.Report.whole;

import dev.agentpolicy.bench.Cluster.Database;
import dev.agentpolicy.bench.Wrk.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The same calls on accounts with few rows and with many; see {@link Copies}. */
record GrowthBench(Cluster cluster, Wrk wrk, Report report) {
    private static final List<Integer> SIZES = Stream.of(
                    System.getProperty("bench.rows", "1000,1000000").split(","))
            .map(Integer::valueOf)
            .toList();
    private static final int CONNECTIONS = 8;

    void run(Database database) {
        String url = cluster.fresh(database);
        List<BenchHousehold> households = new ArrayList<>();
        try (Program service = cluster.service(url)) {
            for (int i = 0; i < SIZES.size(); i++) {
                BenchHousehold household = BenchHousehold.signUp(service.address(), i, 1);
                wrk.run(service, Calls.validate(cluster.folder().resolve("one"), household.keys()), 1, 1);
                households.add(household);
            }
        }
        Copies copies = new Copies(database, url);
        for (int i = 0; i < SIZES.size(); i++) {
            copies.add(households.get(i).userId(), SIZES.get(i));
        }
        try (Program service = cluster.service(url)) {
            List<String> calls = List.of("validate", "audit?limit=25", "policy/events?limit=100", "usage");
            Rounds rounds = new Rounds(wrk);
            for (String call : calls) {
                for (int i = 0; i < SIZES.size(); i++) {
                    Path file = cluster.folder().resolve("growth" + i + call.replaceAll("\\W", "-"));
                    List<String> keys = households.get(i).keys();
                    Path lines = call.equals("validate") ? Calls.validate(file, keys) : Calls.get(file, call, keys);
                    rounds.add(name(call, i), service, lines, CONNECTIONS);
                }
            }
            rounds.run();
            print(database, rounds, calls);
        }
    }

    private void print(Database database, Rounds rounds, List<String> calls) {
        report.title("Growth, " + database + ", " + CONNECTIONS + " connections");
        report.head("call", "rows in the account", "req/s", "p50 ms", "p99 ms", "p50 to that of the first");
        for (String call : calls) {
            for (int i = 0; i < SIZES.size(); i++) {
                String name = name(call, i);
                double p50 = rounds.median(name, Result::p50);
                report.row(
                        call,
                        whole(SIZES.get(i)),
                        whole(rounds.perSecond(name)),
                        two(p50),
                        two(rounds.median(name, Result::p99)),
                        two(p50 / rounds.median(name(call, 0), Result::p50)));
            }
        }
    }

    private static String name(String call, int size) {
        return call + " " + size;
    }
}
