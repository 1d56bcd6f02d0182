package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.SeededChance;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Two nodes over one store and one broker, and three users with their agents; all of it on one thread and one seed. */
final class Town {
    private static final int USERS = 3;
    final Random random;
    final Flaw flaw;
    final Agenda agenda;
    final SeededChance chance;
    final TownClock clock = new TownClock(SampleValues.NOON);
    final Verdict verdict = new Verdict();
    final InMemoryStore store = new InMemoryStore(clock, new NoSigner());
    final Watch watch;
    final Broker broker;
    final List<Node> nodes;
    final List<Home> homes;
    private Asking asking = Asking.NOTHING;
    private boolean isCalm = true;

    Town(Random random, Flaw flaw) {
        this.random = random;
        this.flaw = flaw;
        agenda = new Agenda(random);
        chance = new SeededChance(random);
        watch = new Watch(store, flaw, verdict);
        broker = new Broker(this, watch::executed);
        nodes = List.of(new Node(this, Duration.ZERO), new Node(this, Duration.ofMillis(3)));
        homes = IntStream.range(0, USERS).mapToObj(user -> new Home(this, user)).toList();
    }

    /** Whether something goes wrong now, once in so many times while the town is not calm. */
    boolean happens(int onceIn) {
        return !isCalm && random.nextInt(onceIn) == 0;
    }

    void calm(boolean calm) {
        isCalm = calm;
    }

    Node anyNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    Home anyHome() {
        return homes.get(random.nextInt(homes.size()));
    }

    /** Who asks for the changes that are begun now. */
    Asking asking() {
        return asking;
    }

    void asks(Asking who, Runnable call) {
        asking = who;
        call.run();
        asking = Asking.NOTHING;
    }

    /** One step of what is under way. */
    void step() {
        try {
            agenda.takeOne(isCalm);
        } finally {
            verdict.rethrow();
        }
    }

    /** Until nothing is under way. */
    void settle() {
        while (!agenda.isEmpty()) {
            step();
        }
    }

    /** Real signatures would take most of the time, and are tested elsewhere. */
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
