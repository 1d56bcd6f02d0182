package dev.agentpolicy.app.custodian;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Away;
import dev.agentpolicy.domain.custodian.CustodianReply.Given;
import dev.agentpolicy.domain.custodian.CustodianReply.Refused;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.custodian.PaperOrder;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.port.PaperBooks.Changed;
import dev.agentpolicy.domain.port.PaperBooks.OrdersNeeded;
import dev.agentpolicy.domain.port.PaperCustodians;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** A simulated custodian: its books are durable, and it fills orders at the prices in them. */
public final class PaperCustodian implements Custodian, PaperCustodians {
    private final PaperBooks books;
    private final Executor executor;
    private final InstantSource clock;

    /** @param executor runs what blocks on the books */
    public PaperCustodian(PaperBooks books, Executor executor, InstantSource clock) {
        this.books = books;
        this.executor = executor;
        this.clock = clock;
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
        return replied(() -> books.change(order.userId(), order.custodian(), needed(order), book -> {
            PaperBook after = book.exists() ? PaperMatching.place(book, order, now()) : book;
            return new Changed<>(after, placed(after, order));
        }));
    }

    private static CustodianReply<OrderReport> placed(PaperBook book, Order order) {
        PaperOrder placed = book.orders().get(order.clientOrderId());
        if (placed == null) {
            return new Refused<>(unknown(order.custodian()));
        }
        return placed.state() instanceof OrderState.Rejected rejected
                ? new Refused<>(rejected.reason())
                : new Given<>(PaperMatching.report(placed));
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
        return replied(() -> books.change(order.userId(), order.custodian(), needed(order), book -> {
            PaperBook after = PaperMatching.cancel(book, order.clientOrderId());
            return new Changed<>(after, cancelled(after, order));
        }));
    }

    private static CustodianReply<OrderReport> cancelled(PaperBook book, Order order) {
        PaperOrder cancelled = book.orders().get(order.clientOrderId());
        return cancelled == null
                ? new Refused<>("There is no such order.")
                : new Given<>(PaperMatching.report(cancelled));
    }

    @Override
    public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
        OrdersNeeded changed = new OrdersNeeded(query.revision(), "");
        return replied(() -> books.change(query.user(), query.custodian(), changed, book -> synced(book, query)));
    }

    private Changed<CustodianReply<CustodianReport>> synced(PaperBook book, SyncQuery query) {
        if (!book.exists()) {
            return new Changed<>(book, new Refused<>(unknown(query.custodian())));
        }
        Instant now = now();
        PaperBook after = PaperMatching.advance(book, now);
        List<Fill> fills = after.orders().values().stream()
                .flatMap(order -> order.fills().stream())
                .sorted(Comparator.comparing(Fill::executedAt).thenComparing(Fill::id))
                .toList();
        List<OrderReport> orders = query.open().stream()
                .map(order -> after.orders().get(order.clientOrderId()))
                .filter(Objects::nonNull)
                .map(PaperMatching::report)
                .toList();
        return new Changed<>(
                after, new Given<>(new CustodianReport(PaperMatching.holdings(after, now), orders, fills, true)));
    }

    @Override
    public CompletionStage<Boolean> replace(UserId user, PaperSetup setup) {
        String custodian = setup.holdings().id();
        return onExecutor(() -> books.change(user, custodian, OrdersNeeded.OPEN, book -> {
            PaperBook replaced = PaperMatching.replace(book, setup);
            return new Changed<>(PaperMatching.advance(replaced, now()), true);
        }));
    }

    @Override
    public CompletionStage<Boolean> delete(UserId user, String custodian) {
        return onExecutor(() -> books.delete(user, custodian));
    }

    private static OrdersNeeded needed(Order order) {
        return new OrdersNeeded(Long.MAX_VALUE, order.clientOrderId());
    }

    private static String unknown(String custodian) {
        return "There is no custodian " + custodian + ".";
    }

    private Instant now() {
        return Instants.truncated(clock.instant());
    }

    /** A database that does not answer is a custodian that is away. */
    private <T> CompletionStage<CustodianReply<T>> replied(Supplier<CustodianReply<T>> work) {
        return onExecutor(() -> {
            try {
                return work.get();
            } catch (Unavailable away) {
                return new Away<>("The books of the paper custodian cannot be reached.");
            }
        });
    }

    private <T> CompletionStage<T> onExecutor(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, executor);
    }
}
