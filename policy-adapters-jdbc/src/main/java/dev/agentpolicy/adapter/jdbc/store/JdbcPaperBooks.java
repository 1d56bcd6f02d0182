package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.request.OrderResultDocument;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** Stores paper books. The row of a book is its lock; the row of an order is the proof that it was settled. */
public record JdbcPaperBooks(Transactions transactions, InstantSource clock) implements PaperBooks {

    @Override
    public OrderResult settle(Order order, Function<Optional<CustodianHoldings>, OrderResult> settle) {
        return Retries.whenAnswerIsLost(() -> transactions.inOne(connection -> {
            PaperBook book = PaperBook.lock(connection, order.userId(), order.custodian());
            Optional<OrderResult> before = find(connection, order);
            if (before.isPresent()) {
                return before.get();
            }
            OrderResult settlement = settle.apply(book.holdings());
            store(connection, order, settlement);
            Optional<CustodianHoldings> after =
                    settlement.fold(filled -> Optional.of(filled.holdings()), refused -> Optional.empty());
            if (after.isPresent()) {
                book.write(connection, after.get());
            }
            return settlement;
        }));
    }

    @Override
    public CustodianHoldings replace(UserId user, CustodianHoldings holdings) {
        return Retries.whenAnswerIsLost(() -> transactions.inOne(connection -> {
            PaperBook book = PaperBook.lock(connection, user, holdings.id());
            CustodianHoldings next = new CustodianHoldings(
                    holdings.id(),
                    holdings.name(),
                    holdings.kind(),
                    holdings.syncedAt(),
                    book.revision() + 1,
                    holdings.cash(),
                    holdings.positions());
            book.write(connection, next);
            return next;
        }));
    }

    private static Optional<OrderResult> find(Connection connection, Order order) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT document FROM paper_order WHERE user_id = ? AND client_order_id = ?")) {
            query.setObject(1, order.userId().value());
            query.setString(2, order.clientOrderId());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(settlement(row.getString("document"))) : Optional.empty();
            }
        }
    }

    /** Fails for the second of two orders with one id on different books, which do not lock each other; it is then retried. */
    private void store(Connection connection, Order order, OrderResult settlement) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO paper_order"
                + "(user_id, client_order_id, custodian_id, document, created_at) VALUES (?, ?, ?, ?, ?)")) {
            insert.setObject(1, order.userId().value());
            insert.setString(2, order.clientOrderId());
            insert.setString(3, order.custodian());
            insert.setString(4, CanonicalForm.writeStored(OrderResultDocument.toStored(settlement)));
            insert.setObject(5, Timestamps.column(Instants.truncated(clock.instant())));
            insert.executeUpdate();
        }
    }

    private static OrderResult settlement(String document) {
        return OrderResultDocument.readStored(new Stored(CanonicalForm.readStored(document)));
    }
}
