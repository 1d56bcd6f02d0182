package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.custodian.PaperOrder;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.InMemoryCustodianCredentials;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.SeededRandomSource;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A deterministic simulation of two nodes with one store, paper custodians and one broker, and of three users with their
 * agents: one with a paper custodian, one with an account at the broker, one with both. Runs on one thread from one
 * seed.
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
    final InMemorySyncSchedule schedule = new InMemorySyncSchedule();
    final InMemoryCustodianCredentials credentials = new InMemoryCustodianCredentials(schedule);
    final InMemoryPaperBooks books = new InMemoryPaperBooks();
    final PaperCustodian paper = new PaperCustodian(books, clock);
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
        checker = new InvariantChecker(this, mutant, firstViolation);
        broker = new SimulatedBroker(this);
        nodes = List.of(new SimulatedNode(this, 0, Duration.ZERO), new SimulatedNode(this, 1, Duration.ofMillis(3)));
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

    /** Gives an order to its custodian. */
    OrderReport place(Order order) {
        if (order.kind() != CustodianKind.PAPER) {
            return broker.account(order.userId()).place(order);
        }
        boolean isNew = !books.book(order.userId(), order.custodian()).orders().containsKey(order.clientOrderId());
        OrderReport report = paper.place(order);
        if (isNew) {
            checker.placed(order);
        }
        return report;
    }

    /** How an order stands at its custodian; null when it is not there. */
    OrderReport order(Order order) {
        if (order.kind() != CustodianKind.PAPER) {
            return broker.account(order.userId()).order(order.clientOrderId());
        }
        PaperOrder placed =
                books.book(order.userId(), order.custodian()).orders().get(order.clientOrderId());
        return placed == null ? null : PaperMatching.report(placed);
    }

    /** A fill as its custodian made it; null when there is none. */
    Fill fill(UserId user, String custodian, String id) {
        return custodian.equals(SimulatedBroker.ID)
                ? broker.account(user).fill(id)
                : books.book(user, custodian).orders().values().stream()
                        .flatMap(order -> order.fills().stream())
                        .filter(fill -> fill.id().equals(id))
                        .findFirst()
                        .orElse(null);
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
