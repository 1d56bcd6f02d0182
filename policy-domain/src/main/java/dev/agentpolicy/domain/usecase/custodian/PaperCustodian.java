package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.custodian.PaperOrder;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.port.PaperBooks.Changed;
import dev.agentpolicy.domain.port.PaperBooks.OrdersNeeded;
import dev.agentpolicy.domain.port.PaperCustodians;
import dev.agentpolicy.domain.quantity.Fraction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A simulated custodian: its books are durable, and it fills orders at the prices in them. */
public final class PaperCustodian implements Custodian, PaperCustodians {
    /** Calls that may use the database at the same time. Others wait without a connection while a book is locked. */
    private static final int MAX_AT_ONCE = 4;

    private static final String UNREACHABLE = "The books of the paper custodian cannot be reached.";

    private final Semaphore turns = new Semaphore(MAX_AT_ONCE);
    private final PaperBooks books;
    private final InstantSource clock;

    public PaperCustodian(PaperBooks books, InstantSource clock) {
        this.books = books;
        this.clock = clock;
    }

    @Override
    public ReferencePrice price(Order wanted, Fraction slippage) {
        PaperBook book;
        try {
            book = inTurn(() -> books.find(wanted.userId(), wanted.custodian()));
        } catch (Unavailable away) {
            throw CustodianFailure.away(UNREACHABLE);
        }
        return PaperMatching.reference(book, wanted, now());
    }

    @Override
    public OrderReport place(Order order) {
        PaperBook book = changed(
                order.userId(),
                order.custodian(),
                needed(order),
                before -> before.exists() ? PaperMatching.place(before, order, now()) : before);
        PaperOrder placed = book.orders().get(order.clientOrderId());
        if (placed == null) {
            throw CustodianFailure.refused(unknown(order.custodian()));
        }
        if (placed.state() instanceof OrderState.Rejected rejected) {
            throw CustodianFailure.refused(rejected.reason());
        }
        return PaperMatching.report(placed);
    }

    @Override
    public OrderReport cancel(Order order) {
        PaperBook book = changed(
                order.userId(),
                order.custodian(),
                needed(order),
                before -> PaperMatching.cancel(before, order.clientOrderId()));
        PaperOrder cancelled = book.orders().get(order.clientOrderId());
        if (cancelled == null) {
            throw CustodianFailure.refused("There is no such order.");
        }
        return PaperMatching.report(cancelled);
    }

    @Override
    public CustodianReport sync(SyncQuery query) {
        Instant now = now();
        PaperBook book = changed(
                query.user(),
                query.custodian(),
                new OrdersNeeded(query.revision(), ""),
                before -> before.exists() ? PaperMatching.advance(before, now) : before);
        if (!book.exists()) {
            throw CustodianFailure.refused(unknown(query.custodian()));
        }
        List<Fill> fills = book.orders().values().stream()
                .flatMap(order -> order.fills().stream())
                .sorted(Comparator.comparing(Fill::executedAt).thenComparing(Fill::id))
                .toList();
        List<OrderReport> orders = query.open().stream()
                .map(order -> book.orders().get(order.clientOrderId()))
                .filter(Objects::nonNull)
                .map(PaperMatching::report)
                .toList();
        return new CustodianReport(PaperMatching.holdings(book, now), orders, fills, true);
    }

    /** A book after a change. A database that does not answer is a custodian that is away. */
    private PaperBook changed(UserId user, String custodian, OrdersNeeded orders, UnaryOperator<PaperBook> change) {
        try {
            return inTurn(() -> books.change(user, custodian, orders, before -> {
                PaperBook after = change.apply(before);
                return new Changed<>(after, after);
            }));
        } catch (Unavailable away) {
            throw CustodianFailure.away(UNREACHABLE);
        }
    }

    @Override
    public void replace(UserId user, PaperSetup setup) {
        inTurn(() -> books.change(user, setup.holdings().id(), OrdersNeeded.OPEN, book -> {
            PaperBook replaced = PaperMatching.replace(book, setup);
            return new Changed<>(PaperMatching.advance(replaced, now()), true);
        }));
    }

    @Override
    public boolean delete(UserId user, String custodian) {
        return inTurn(() -> books.delete(user, custodian));
    }

    private <T> T inTurn(Supplier<T> work) {
        turns.acquireUninterruptibly();
        try {
            return work.get();
        } finally {
            turns.release();
        }
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
}
