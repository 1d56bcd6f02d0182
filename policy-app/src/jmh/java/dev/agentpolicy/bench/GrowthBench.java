package dev.agentpolicy.bench;

import static dev.agentpolicy.bench.Report.two;
import static dev.agentpolicy.bench.Report.whole;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.bench.Cluster.Database;
import dev.agentpolicy.bench.Wrk.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The same calls on accounts with few rows and with many. The rows are copies of a real decision, loaded by SQL: they are
 * read as any other, but their hashes do not link.
 */
record GrowthBench(Cluster cluster, Wrk wrk, Report report) {
    private static final List<Integer> SIZES = Stream.of(
                    System.getProperty("bench.rows", "1000,1000000").split(","))
            .map(Integer::valueOf)
            .toList();
    private static final int CONNECTIONS = 8;

    void run() {
        String url = cluster.fresh(Database.POSTGRESQL);
        try (Program service = cluster.service(url)) {
            List<Household> households = new ArrayList<>();
            for (int i = 0; i < SIZES.size(); i++) {
                Household household = Household.signUp(service.address(), i, 1);
                Path one = Calls.validate(cluster.folder().resolve("one"), household.keys());
                wrk.run(service, one, 1, 1);
                fill(url, household.userId(), SIZES.get(i));
                households.add(household);
            }
            TestPostgres.execute(url, "VACUUM ANALYZE policy_event");
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
            print(rounds, calls);
        }
    }

    private void print(Rounds rounds, List<String> calls) {
        report.title("Growth, POSTGRESQL, " + CONNECTIONS + " connections");
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

    /** Behind the last decision, which the account row may not tell of, and with which it then ends. */
    private static void fill(String url, String user, int rows) {
        String last = "(SELECT * FROM policy_event WHERE user_id = '" + user + "' ORDER BY seq DESC LIMIT 1)";
        TestPostgres.execute(
                url,
                "INSERT INTO policy_event SELECT t.user_id, t.seq + g, gen_random_uuid(), t.event_type, t.created_at,"
                        + " t.signing_key_id, t.prev_hash, t.hash, t.signature, t.payload_hash, t.payload_canonical,"
                        + " t.agent_key_id, t.allowed FROM " + last + " t CROSS JOIN generate_series(1, " + rows
                        + ") g");
        TestPostgres.execute(
                url,
                "UPDATE account a SET chain_seq = t.seq, chain_hash = t.hash, changes = changes + 1 FROM " + last
                        + " t WHERE a.user_id = t.user_id");
    }
}
