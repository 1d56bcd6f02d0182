package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.PaperCustodians;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Paper custodians that can be set to fail, to answer late or to refuse, and beside them one account at a
 * {@link TestBroker}.
 */
public final class ScriptedCustodian implements Custodian, PaperCustodians {
    private final List<Order> asked = new ArrayList<>();
    private final List<Order> executed = new ArrayList<>();
    private final Set<String> refused = new HashSet<>();
    private final BlockingQueue<CompletableFuture<Void>> arrived = new LinkedBlockingQueue<>();
    private final Queue<CompletableFuture<Void>> unanswered = new ArrayDeque<>();
    private final InMemoryPaperBooks books = new InMemoryPaperBooks();
    private final PaperCustodian paper;
    private final TestBroker broker;
    private final InstantSource clock;
    private volatile Mood mood = Mood.OBLIGING;
    private boolean refusesOnce;

    ScriptedCustodian(TestBroker broker, InstantSource clock) {
        this.paper = new PaperCustodian(books, clock);
        this.broker = broker;
        this.clock = clock;
    }

    /** What paper custodians do with further calls. */
    public enum Mood {
        OBLIGING,
        REFUSING,
        /** Does nothing, and is away. */
        AWAY,
        /** Throws when an order is placed. */
        BROKEN,
        /** Executes, but is away when it should answer. */
        MUTE,
        /** Executes, and blocks until {@link #answerLate}. */
        LATE
    }

    public void is(Mood now) {
        mood = now;
    }

    /** Refuses the next order. */
    public void refuseOnce() {
        refusesOnce = true;
    }

    /** Makes a call that the custodian answers late; returns when the custodian has executed it. */
    public <T> CompletableFuture<T> late(Supplier<T> call) {
        is(Mood.LATE);
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(call, work -> new Thread(work).start());
        try {
            unanswered.add(Objects.requireNonNull(arrived.poll(20, TimeUnit.SECONDS)));
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
        is(Mood.OBLIGING);
        return answer;
    }

    /** Answers the first of the calls that wait for their answer. */
    public void answerLate() {
        unanswered.remove().complete(null);
    }

    /** The client order ids of all orders that were placed, repeated ones too. */
    public List<String> asked() {
        return asked.stream().map(Order::clientOrderId).toList();
    }

    /** The orders that paper custodians took, in order. */
    public List<Order> executed() {
        return executed;
    }

    /** What a user holds at a paper custodian. */
    public CustodianHoldings held(UserId user, String id) {
        return PaperMatching.holdings(book(user, id), clock.instant());
    }

    /** The books of the paper custodians. */
    public InMemoryPaperBooks books() {
        return books;
    }

    /** The book of a paper custodian. */
    public PaperBook book(UserId user, String id) {
        return books.book(user, id);
    }

    @Override
    public ReferencePrice price(Order wanted, Fraction slippage) {
        return wanted.kind().isSynced() ? broker.price(wanted, slippage) : paper.price(wanted, slippage);
    }

    @Override
    public OrderReport place(Order order) {
        if (order.kind().isSynced()) {
            return broker.place(order);
        }
        asked.add(order);
        return switch (mood) {
            case AWAY -> throw away();
            case BROKEN -> throw new IllegalStateException("Nobody listens.");
            case OBLIGING, REFUSING -> placed(order);
            case MUTE -> {
                placed(order);
                throw away();
            }
            case LATE -> {
                CompletableFuture<Void> turn = new CompletableFuture<>();
                try {
                    yield placed(order);
                } finally {
                    arrived.add(turn);
                    turn.join();
                }
            }
        };
    }

    @Override
    public OrderReport cancel(Order order) {
        if (order.kind().isSynced()) {
            return broker.cancel(order);
        }
        requireReachable();
        return paper.cancel(order);
    }

    @Override
    public CustodianReport sync(SyncQuery query) {
        if (query.kind().isSynced()) {
            return broker.sync(query);
        }
        requireReachable();
        return paper.sync(query);
    }

    @Override
    public void replace(UserId user, PaperSetup setup) {
        paper.replace(user, setup);
    }

    @Override
    public boolean delete(UserId user, String custodian) {
        return paper.delete(user, custodian);
    }

    private void requireReachable() {
        if (mood == Mood.AWAY || mood == Mood.MUTE) {
            throw away();
        }
    }

    private static CustodianFailure away() {
        return CustodianFailure.away("Nobody answers.");
    }

    private OrderReport placed(Order order) {
        boolean isKnown = book(order.userId(), order.custodian()).orders().containsKey(order.clientOrderId());
        if (!isKnown && (refusesOnce || mood == Mood.REFUSING)) {
            refused.add(order.clientOrderId());
        }
        refusesOnce = false;
        if (refused.contains(order.clientOrderId())) {
            throw CustodianFailure.refused("The market is closed.");
        }
        OrderReport report = paper.place(order);
        if (!isKnown) {
            executed.add(order);
        }
        return report;
    }
}
