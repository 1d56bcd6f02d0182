package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.SeededRandomSource;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A deterministic simulation of two nodes with one store and one broker, and of three users with their agents. Runs on
 * one thread from one seed.
 */
final class Simulation {
    private static final int USERS = 3;
    final Random random;
    final Mutant mutant;
    final Scheduler scheduler;
    final SeededRandomSource randomSource;
    final SimulatedClock clock = new SimulatedClock(SampleValues.NOON);
    final FirstViolation firstViolation = new FirstViolation();
    final InMemoryStore store = new InMemoryStore(clock, new NoSigner());
    final InvariantChecker checker;
    final SimulatedBroker broker;
    final List<SimulatedNode> nodes;
    final List<SimulatedUser> users;
    private ChangeOrigin origin = ChangeOrigin.NOTHING;
    private boolean isCalm = true;

    Simulation(Random random, Mutant mutant) {
        this.random = random;
        this.mutant = mutant;
        scheduler = new Scheduler(random);
        randomSource = new SeededRandomSource(random);
        checker = new InvariantChecker(store, mutant, firstViolation);
        broker = new SimulatedBroker(this, checker::executed);
        nodes = List.of(new SimulatedNode(this, Duration.ZERO), new SimulatedNode(this, Duration.ofMillis(3)));
        users = IntStream.range(0, USERS)
                .mapToObj(user -> new SimulatedUser(this, user))
                .toList();
    }

    /** Whether a fault happens now: once in the given number of times, never in the calm phase. */
    boolean happens(int onceIn) {
        return !isCalm && random.nextInt(onceIn) == 0;
    }

    void calm(boolean calm) {
        isCalm = calm;
    }

    SimulatedNode anyNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    SimulatedUser anyUser() {
        return users.get(random.nextInt(users.size()));
    }

    /** The origin of the changes that begin now. */
    ChangeOrigin origin() {
        return origin;
    }

    void asks(ChangeOrigin who, Runnable call) {
        origin = who;
        call.run();
        origin = ChangeOrigin.NOTHING;
    }

    /** Runs one step. */
    void step() {
        try {
            scheduler.takeOne(isCalm);
        } finally {
            firstViolation.rethrow();
        }
    }

    /** Runs steps until none is left. */
    void settle() {
        while (!scheduler.isEmpty()) {
            step();
        }
    }

    /** Makes fake signatures: real ones would take most of the time and are tested elsewhere. */
    private static final class NoSigner implements EventSigner {
        private static final String KEY = "k".repeat(43);
        private static final String SIGNATURE = "s".repeat(86);

        @Override
        public String keyId() {
            return KEY;
        }

        @Override
        public String sign(String message) {
            return SIGNATURE;
        }
    }
}
