package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.custodian.PriceBound;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;

/** Drives a simulation: begins random calls, interleaves their steps, crashes nodes and lets time pass. */
final class RandomOperations {
    private static final int CALLS_AT_ONCE = 8;
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);
    private final Simulation simulation;
    private final Random random;

    RandomOperations(Random random, Mutant mutant) {
        this.random = random;
        this.simulation = new Simulation(random, mutant);
        simulation.calm(false);
    }

    /** Begins the given number of operations, interleaves their steps and completes them. */
    SimulationCounts live(int operations) {
        for (int begun = 0; begun < operations; ) {
            if (simulation.scheduler.isEmpty() || (random.nextInt(3) == 0 && calls() < CALLS_AT_ONCE)) {
                begin(random.nextInt(200));
                simulation.firstViolation.rethrow();
                begun++;
            } else {
                simulation.step();
            }
        }
        end();
        return simulation.checker.counts();
    }

    private int calls() {
        return simulation.nodes.stream().mapToInt(SimulatedNode::calls).sum();
    }

    private void begin(int what) {
        simulation.clock.advance(Duration.ofMillis(random.nextInt(3_000)));
        SimulatedUser user = simulation.anyUser();
        SimulatedNode node = simulation.anyNode();
        if (random.nextInt(5) == 0) {
            simulation.broker.goOn();
        }
        if (what < 54) {
            user.anyAgent().propose();
        } else if (what < 60) {
            user.cancel();
        } else if (what < 64) {
            user.sync();
        } else if (what < 76) {
            syncDue(node);
        } else if (what < 77) {
            if (random.nextInt(4) == 0) {
                user.reconnect();
            } else {
                user.connect();
            }
        } else if (what < 86) {
            user.anyAgent().validate();
        } else if (what < 92) {
            user.anyAgent().batch();
        } else if (what < 98) {
            user.anyAgent().read();
        } else if (what < 150) {
            user.attest();
        } else if (what < 160) {
            node.call(
                    () -> node.orders.sweep(random.nextBoolean() ? AT_ONCE : Duration.ofSeconds(30)),
                    swept -> {},
                    () -> {});
        } else if (what < 167) {
            node.call(node.expire::sweep, swept -> {}, () -> {});
        } else if (what < 175) {
            user.observe();
        } else if (what < 181) {
            user.trade();
        } else if (what < 185) {
            user.amend();
        } else if (what < 189) {
            user.anyAgent().renew();
        } else if (what < 198) {
            timePasses(user);
            if (random.nextInt(4) > 0) {
                syncDue(simulation.anyNode());
            }
        } else {
            node.crash();
        }
    }

    /** Moves the clock to the end of some period, to one microsecond before or after it, or just forward. */
    private void timePasses(SimulatedUser user) {
        List<Long> asked = simulation.checker.requests.of(user.userId);
        Instant now = simulation.clock.instant();
        Instant proposed = asked.isEmpty()
                ? now
                : simulation
                        .checker
                        .requests
                        .known(asked.get(Math.max(0, asked.size() - 1 - random.nextInt(4))))
                        .proposal()
                        .createdAt();
        Duration beside = Duration.of(random.nextInt(3) - 1, ChronoUnit.MICROS);
        Instant frees = simulation.checker.flows.freesAt(user.userId, user.ips(), now);
        switch (random.nextInt(7)) {
            case 0 ->
                simulation.clock.goTo(now.truncatedTo(ChronoUnit.DAYS)
                        .plus(1, ChronoUnit.DAYS)
                        .plus(beside));
            case 1 -> simulation.clock.goTo(proposed.plus(Duration.ofHours(24)).plus(beside));
            case 2 -> simulation.clock.goTo(proposed.plus(SimulatedNode.WINDOW).plus(beside));
            case 3 -> simulation.clock.advance(Duration.ofMinutes(random.nextInt(300)));
            case 4 -> simulation.clock.goTo(frees == null ? now : frees.plus(beside));
            default -> simulation.clock.advance(Duration.ofSeconds(random.nextInt(300)));
        }
    }

    private static void syncDue(SimulatedNode node) {
        node.call(node.syncs::sweep, swept -> {}, () -> {});
    }

    /** Ends all failures, completes all steps and syncs everything, first with open orders and then without. */
    private void end() {
        simulation.calm(true);
        simulation.broker.calm();
        simulation.settle();
        simulation.users.forEach(SimulatedUser::giveMissingCredentials);
        simulation.settle();
        syncAll();
        simulation.users.forEach(user -> simulation.checker.quiet(user.userId));
        simulation.users.forEach(user -> {
            user.openMarket();
            simulation.broker.account(user.userId).finish();
        });
        simulation.settle();
        // What lies beyond its bound at a paper custodian is cancelled after this time.
        simulation.clock.advance(PriceBound.MAX_OPEN);
        syncAll();
        simulation.users.forEach(user -> simulation.checker.quiet(user.userId));
        simulation.checker.end();
    }

    private void syncAll() {
        for (SimulatedNode node : simulation.nodes) {
            node.call(() -> node.orders.sweep(AT_ONCE), swept -> {}, () -> {});
            simulation.settle();
            simulation.clock.advance(SimulatedNode.TIMES.interval().multipliedBy(3));
            syncDue(node);
            simulation.settle();
        }
        for (SimulatedUser user : simulation.users) {
            user.syncPaper();
            simulation.settle();
        }
    }
}
