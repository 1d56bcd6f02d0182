package dev.agentpolicy.app.custodian;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A simulated custodian: its books are durable, and it fills orders at its own prices. */
public final class PaperCustodian implements Custodian {
    private final PaperBooks books;
    private final Executor executor;
    private final InstantSource clock;

    public PaperCustodian(PaperBooks books, Executor executor, InstantSource clock) {
        this.books = books;
        this.executor = executor;
        this.clock = clock;
    }

    @Override
    public CompletionStage<OrderResult> place(Order order) {
        return CompletableFuture.supplyAsync(
                () -> {
                    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
                    return books.settle(order, book -> PaperFill.of(order, book, now));
                },
                executor);
    }

    @Override
    public CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings) {
        return CompletableFuture.supplyAsync(() -> books.replace(user, holdings), executor);
    }
}
