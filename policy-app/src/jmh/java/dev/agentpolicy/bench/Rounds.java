package dev.agentpolicy.bench;

import dev.agentpolicy.bench.Wrk.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Runs several cases in turn, round by round, so that whatever else the machine does hits all of them alike. */
final class Rounds {
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
    private static final int SECONDS = Integer.getInteger("bench.seconds", 5);
    private static final int WARM_UP_SECONDS = Integer.getInteger("bench.warmup", 12);
    private static final int MAX_WARM_UP_CONNECTIONS = 32;

    private final Wrk wrk;
    private final Map<String, Case> cases = new LinkedHashMap<>();
    private final Map<String, List<Result>> results = new LinkedHashMap<>();

    Rounds(Wrk wrk) {
        this.wrk = wrk;
    }

    /** One thing to measure. */
    private record Case(Program server, Path calls, int connections) {}

    Rounds add(String name, Program server, Path calls, int connections) {
        cases.put(name, new Case(server, calls, connections));
        return this;
    }

    /** Warms every file of calls at its server, then runs all cases in turn. */
    Rounds run() {
        cases.values().stream()
                .map(it -> new Case(it.server, it.calls, Math.min(MAX_WARM_UP_CONNECTIONS, it.connections)))
                .distinct()
                .forEach(it -> run(it, WARM_UP_SECONDS));
        for (int round = 0; round < ROUNDS; round++) {
            cases.forEach((name, it) ->
                    results.computeIfAbsent(name, any -> new ArrayList<>()).add(run(it, SECONDS)));
        }
        return this;
    }

    /** The median over the rounds. */
    double median(String name, ToDoubleFunction<Result> value) {
        List<Result> all = results.getOrDefault(name, List.of());
        return all.stream()
                .mapToDouble(value)
                .sorted()
                .skip(all.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    double perSecond(String name) {
        return median(name, Result::perSecond);
    }

    private Result run(Case it, int seconds) {
        return wrk.run(it.server, it.calls, it.connections, seconds);
    }
}
