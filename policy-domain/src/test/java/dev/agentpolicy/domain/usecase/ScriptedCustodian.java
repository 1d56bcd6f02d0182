package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Away;
import dev.agentpolicy.domain.custodian.CustodianReply.Given;
import dev.agentpolicy.domain.custodian.CustodianReply.Refused;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.PaperCustodians;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Paper custodians that can be set to fail, to answer late or to refuse, and beside them one account at a
 * {@link TestBroker}.
 */
public final class ScriptedCustodian implements Custodian, PaperCustodians {
    private final List<Order> asked = new ArrayList<>();
    private final List<Order> executed = new ArrayList<>();
    private final Set<String> refused = new HashSet<>();
    private final List<Runnable> late = new ArrayList<>();
    private final TestPaperCustodian paper;
    private final TestBroker broker;
    private final InstantSource clock;
    private Mood mood = Mood.OBLIGING;
    private boolean refusesOnce;

    ScriptedCustodian(TestBroker broker, InstantSource clock) {
        this.paper = new TestPaperCustodian(clock);
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
        /** Executes, and answers at {@link #answerLate}. */
        LATE
    }

    public void is(Mood now) {
        mood = now;
    }

    /** Refuses the next order. */
    public void refuseOnce() {
        refusesOnce = true;
    }

    /** Completes all delayed calls, in order. */
    public void answerLate() {
        List<Runnable> answers = List.copyOf(late);
        late.clear();
        answers.forEach(Runnable::run);
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
        return paper.books();
    }

    /** The book of a paper custodian. */
    public PaperBook book(UserId user, String id) {
        return paper.books().book(user, id);
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
        if (order.kind().isSynced()) {
            return broker.place(order);
        }
        asked.add(order);
        return switch (mood) {
            case AWAY -> away();
            case BROKEN -> throw new IllegalStateException("Nobody listens.");
            case OBLIGING, REFUSING -> CompletableFuture.completedFuture(placed(order));
            case MUTE -> {
                placed(order);
                yield away();
            }
            case LATE -> {
                CustodianReply<OrderReport> reply = placed(order);
                CompletableFuture<CustodianReply<OrderReport>> answer = new CompletableFuture<>();
                late.add(() -> answer.complete(reply));
                yield answer;
            }
        };
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
        if (order.kind().isSynced()) {
            return broker.cancel(order);
        }
        return isReachable() ? paper.cancel(order) : away();
    }

    @Override
    public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
        if (query.kind().isSynced()) {
            return broker.sync(query);
        }
        return isReachable() ? paper.sync(query) : away();
    }

    @Override
    public CompletionStage<Boolean> replace(UserId user, PaperSetup setup) {
        return paper.replace(user, setup);
    }

    @Override
    public CompletionStage<Boolean> delete(UserId user, String custodian) {
        return paper.delete(user, custodian);
    }

    private boolean isReachable() {
        return mood != Mood.AWAY && mood != Mood.MUTE;
    }

    private static <T> CompletionStage<CustodianReply<T>> away() {
        return CompletableFuture.completedFuture(new Away<>("Nobody answers."));
    }

    private CustodianReply<OrderReport> placed(Order order) {
        boolean isKnown = book(order.userId(), order.custodian()).orders().containsKey(order.clientOrderId());
        if (!isKnown && (refusesOnce || mood == Mood.REFUSING)) {
            refused.add(order.clientOrderId());
        }
        refusesOnce = false;
        if (refused.contains(order.clientOrderId())) {
            return new Refused<>("The market is closed.");
        }
        CustodianReply<OrderReport> reply =
                paper.place(order).toCompletableFuture().join();
        if (reply instanceof Given<OrderReport> && !isKnown) {
            executed.add(order);
        }
        return reply;
    }
}
