package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A custodian in memory that can be set to fail, to answer late or to refuse. */
public final class ScriptedCustodian implements Custodian {
    private final InMemoryPaperBooks books = new InMemoryPaperBooks();
    private final List<Order> asked = new ArrayList<>();
    private final List<Order> executed = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private final InstantSource clock;
    private Mood mood = Mood.OBLIGING;
    private boolean refusesOnce;

    ScriptedCustodian(InstantSource clock) {
        this.clock = clock;
    }

    /** What it does with further orders. */
    public enum Mood {
        OBLIGING,
        REFUSING,
        /** Does not execute, and the call fails. */
        AWAY,
        /** Throws instead of returning a future. */
        BROKEN,
        /** Executes, but the call fails. */
        MUTE,
        /** Executes, and completes the call at {@link #answerLate}. */
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

    /** The client order ids of all calls, repeated ones too. */
    public List<String> asked() {
        return asked.stream().map(Order::clientOrderId).toList();
    }

    /** The executed orders, in order. */
    public List<Order> executed() {
        return executed;
    }

    /** The current holdings of a user. */
    public CustodianHoldings book(UserId user, String id) {
        return books.book(user, id).orElseThrow();
    }

    @Override
    public CompletionStage<OrderResult> place(Order order) {
        asked.add(order);
        return switch (mood) {
            case AWAY -> CompletableFuture.failedFuture(new IllegalStateException("Nobody answers."));
            case BROKEN -> throw new IllegalStateException("Nobody listens.");
            case OBLIGING, REFUSING -> CompletableFuture.completedFuture(settled(order));
            case MUTE -> {
                settled(order);
                yield CompletableFuture.failedFuture(new IllegalStateException("The line broke."));
            }
            case LATE -> {
                OrderResult settlement = settled(order);
                CompletableFuture<OrderResult> answer = new CompletableFuture<>();
                late.add(() -> answer.complete(settlement));
                yield answer;
            }
        };
    }

    @Override
    public CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings) {
        return CompletableFuture.completedFuture(books.replace(user, holdings));
    }

    private OrderResult settled(Order order) {
        return books.settle(order, book -> refuses() ? new NotFilled("The market is closed.") : filled(order, book));
    }

    private boolean refuses() {
        boolean refuses = refusesOnce || mood == Mood.REFUSING;
        refusesOnce = false;
        return refuses;
    }

    private OrderResult filled(Order order, Optional<CustodianHoldings> book) {
        OrderResult settlement = AmountOrQuantityFill.of(order, book.orElseThrow(), clock.instant());
        if (settlement instanceof OrderResult.Filled) {
            executed.add(order);
        }
        return settlement;
    }
}
