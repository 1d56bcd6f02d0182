package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReply;
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
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.PaperBooks.Changed;
import dev.agentpolicy.domain.port.PaperBooks.OrdersNeeded;
import dev.agentpolicy.domain.port.PaperCustodians;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A paper custodian on books in memory, which answers at once. */
public record TestPaperCustodian(InMemoryPaperBooks books, InstantSource clock) implements Custodian, PaperCustodians {

    /** One without books. */
    public TestPaperCustodian(InstantSource clock) {
        this(new InMemoryPaperBooks(), clock);
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
        return done(books.change(order.userId(), order.custodian(), needed(order), book -> {
            PaperBook after = book.exists() ? PaperMatching.place(book, order, now()) : book;
            return new Changed<>(after, placed(after, order));
        }));
    }

    private static CustodianReply<OrderReport> placed(PaperBook book, Order order) {
        PaperOrder placed = book.orders().get(order.clientOrderId());
        if (placed == null) {
            return new Refused<>("There is no custodian " + order.custodian() + ".");
        }
        return placed.state() instanceof OrderState.Rejected rejected
                ? new Refused<>(rejected.reason())
                : new Given<>(PaperMatching.report(placed));
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
        return done(books.change(order.userId(), order.custodian(), needed(order), book -> {
            PaperBook after = PaperMatching.cancel(book, order.clientOrderId());
            PaperOrder cancelled = after.orders().get(order.clientOrderId());
            return new Changed<>(
                    after,
                    cancelled == null
                            ? new Refused<>("There is no such order.")
                            : new Given<>(PaperMatching.report(cancelled)));
        }));
    }

    @Override
    public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
        return done(books.change(
                query.user(), query.custodian(), new OrdersNeeded(query.revision(), ""), book -> synced(book, query)));
    }

    private Changed<CustodianReply<CustodianReport>> synced(PaperBook book, SyncQuery query) {
        if (!book.exists()) {
            return new Changed<>(book, new Refused<>("There is no custodian " + query.custodian() + "."));
        }
        PaperBook after = PaperMatching.advance(book, now());
        List<Fill> fills = after.orders().values().stream()
                .flatMap(order -> order.fills().stream())
                .toList();
        List<OrderReport> orders = query.open().stream()
                .map(order -> after.orders().get(order.clientOrderId()))
                .filter(Objects::nonNull)
                .map(PaperMatching::report)
                .toList();
        return new Changed<>(
                after, new Given<>(new CustodianReport(PaperMatching.holdings(after, now()), orders, fills, true)));
    }

    @Override
    public CompletionStage<Boolean> replace(UserId user, PaperSetup setup) {
        return done(books.change(
                user,
                setup.holdings().id(),
                OrdersNeeded.OPEN,
                book -> new Changed<>(PaperMatching.advance(PaperMatching.replace(book, setup), now()), true)));
    }

    @Override
    public CompletionStage<Boolean> delete(UserId user, String custodian) {
        return done(books.delete(user, custodian));
    }

    private static OrdersNeeded needed(Order order) {
        return new OrdersNeeded(Long.MAX_VALUE, order.clientOrderId());
    }

    private Instant now() {
        return Instants.truncated(clock.instant());
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
