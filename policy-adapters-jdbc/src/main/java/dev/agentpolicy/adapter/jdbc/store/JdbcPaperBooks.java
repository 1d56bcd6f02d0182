package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperBookDocument;
import dev.agentpolicy.domain.custodian.PaperOrder;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.port.PaperBooks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stores paper books. The row of a book is the lock of the book and of its orders. */
public record JdbcPaperBooks(Reads reads, Transactions transactions) implements PaperBooks {
    private static final String OF_BOOK = " WHERE user_id = ? AND custodian_id = ?";
    private static final String ORDERS = "SELECT document FROM paper_order" + OF_BOOK + " AND ";
    private static final String BOOK = "SELECT document FROM paper_book" + OF_BOOK;
    private static final String LOCKING = BOOK + " FOR UPDATE";

    @Override
    public <R> R change(UserId user, String custodian, OrdersNeeded orders, Function<PaperBook, Changed<R>> change) {
        return Retries.whenAnswerIsLost(
                () -> transactions.inOne(connection -> change(new Row(connection, user, custodian), orders, change)));
    }

    private static <R> R change(Row row, OrdersNeeded orders, Function<PaperBook, Changed<R>> change)
            throws SQLException {
        List<Optional<String>> locked = row.lock();
        String document = locked.isEmpty() ? null : locked.get(0).orElse(null);
        if (locked.isEmpty()) {
            row.insert();
        }
        PaperBook before = document == null ? PaperBook.none(row.custodian) : row.book(document, orders);
        Changed<R> changed = change.apply(before);
        PaperBook after = changed.book();
        if (!after.equals(before)) {
            row.write(before, after);
        } else if (locked.isEmpty()) {
            row.delete();
        }
        return changed.result();
    }

    @Override
    public PaperBook find(UserId user, String custodian) {
        return reads.first(BOOK, row -> Optional.ofNullable(row.getString("document")), user.value(), custodian)
                .flatMap(Function.identity())
                .map(document -> book(custodian, document, Map.of()))
                .orElseGet(() -> PaperBook.none(custodian));
    }

    private static PaperBook book(String custodian, String document, Map<String, PaperOrder> orders) {
        return PaperBookDocument.readStored(custodian, CanonicalForm.readStored(document), orders);
    }

    @Override
    public boolean delete(UserId user, String custodian) {
        // After a lost answer the book is gone, whether by this call or before.
        return transactions.inOne(connection -> {
            Row row = new Row(connection, user, custodian);
            List<Optional<String>> locked = row.lock();
            if (locked.isEmpty()) {
                return false;
            }
            Transactions.update(connection, "DELETE FROM paper_order" + OF_BOOK, user.value(), custodian);
            row.delete();
            return locked.get(0).isPresent();
        });
    }

    @Override
    public List<BookRef> all(int limit) {
        return reads.ofAllUsers(
                "SELECT user_id, custodian_id FROM paper_book WHERE document IS NOT NULL"
                        + " ORDER BY user_id, custodian_id LIMIT ?",
                row -> new BookRef(RowReader.userId(row), row.getString("custodian_id")),
                limit);
    }

    /** The row of a book in a transaction. */
    private record Row(Connection connection, UserId user, String custodian) {

        /** Waits for the lock and reads the document; an empty list when there is no row, which cannot be locked. */
        List<Optional<String>> lock() throws SQLException {
            return Reads.list(
                    connection,
                    LOCKING,
                    row -> Optional.ofNullable(row.getString("document")),
                    user.value(),
                    custodian);
        }

        /** Fails if another transaction inserts it first; the transaction is then repeated. */
        void insert() throws SQLException {
            Transactions.update(
                    connection, "INSERT INTO paper_book(user_id, custodian_id) VALUES (?, ?)", user.value(), custodian);
        }

        void delete() throws SQLException {
            Transactions.update(connection, "DELETE FROM paper_book" + OF_BOOK, user.value(), custodian);
        }

        PaperBook book(String document, OrdersNeeded needed) throws SQLException {
            Map<String, PaperOrder> orders = new HashMap<>();
            add(orders, "is_open", null);
            if (needed.revision() != Long.MAX_VALUE) {
                add(orders, "revision > ?", needed.revision());
            }
            if (!needed.clientOrderId().isEmpty()) {
                add(orders, "client_order_id = ?", needed.clientOrderId());
            }
            return JdbcPaperBooks.book(custodian, document, orders);
        }

        /** One query for each condition, since each has an index of its own. */
        private void add(Map<String, PaperOrder> orders, String condition, @Nullable Object value) throws SQLException {
            Object[] values = value == null
                    ? new Object[] {user.value(), custodian}
                    : new Object[] {user.value(), custodian, value};
            Reads.list(
                            connection,
                            ORDERS + condition,
                            row -> PaperOrder.STORED.readStored(CanonicalForm.readStored(row.getString("document"))),
                            values)
                    .forEach(order -> orders.put(order.order().clientOrderId(), order));
        }

        void write(PaperBook before, PaperBook after) throws SQLException {
            Transactions.update(
                    connection,
                    "UPDATE paper_book SET document = ?" + OF_BOOK,
                    CanonicalForm.writeStored(PaperBookDocument.toStored(after)),
                    user.value(),
                    custodian);
            for (Map.Entry<String, PaperOrder> order : after.orders().entrySet()) {
                if (!order.getValue().equals(before.orders().get(order.getKey()))) {
                    write(order.getKey(), order.getValue());
                }
            }
        }

        private void write(String id, PaperOrder order) throws SQLException {
            String document = CanonicalForm.writeStored(PaperOrder.STORED.write(order));
            boolean isOpen = !order.state().isOver();
            int updated = Transactions.update(
                    connection,
                    "UPDATE paper_order SET is_open = ?, revision = ?, document = ?" + OF_BOOK
                            + " AND client_order_id = ?",
                    isOpen,
                    order.revision(),
                    document,
                    user.value(),
                    custodian,
                    id);
            if (updated == 0) {
                Transactions.update(
                        connection,
                        "INSERT INTO paper_order(user_id, custodian_id, client_order_id, is_open, revision, document)"
                                + " VALUES (?, ?, ?, ?, ?, ?)",
                        user.value(),
                        custodian,
                        id,
                        isOpen,
                        order.revision(),
                        document);
            }
        }
    }
}
