package dev.agentpolicy.app;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Locks rows of a user, so that a service that changes them waits and can be killed at that moment. */
final class LockedRows implements AutoCloseable {
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final UUID user;
    private final Connection books;
    private final Connection account;
    private final Connection reader;

    LockedRows(String database, String user) throws SQLException {
        this.user = UUID.fromString(user);
        books = DriverManager.getConnection(database);
        account = DriverManager.getConnection(database);
        reader = DriverManager.getConnection(database);
        books.setAutoCommit(false);
        account.setAutoCommit(false);
    }

    /** Until this is let go, no order can be filled. */
    void holdBooks() throws SQLException {
        hold(books, "paper_book");
    }

    void letBooksGo() throws SQLException {
        books.rollback();
    }

    /** Until this is let go, nothing can be recorded. */
    void holdAccount() throws SQLException {
        hold(account, "account");
    }

    void untilAccepted(List<Long> requests) throws Exception {
        until(
                requests.size(),
                "SELECT count(*) FROM service_request WHERE user_id = ? AND accepted_at IS NOT NULL AND id IN ("
                        + listed(requests) + ")");
    }

    /** Until the orders have their bounds: from then on nothing is asked of the account before they are filled. */
    void untilOrdering(List<Long> requests) throws Exception {
        until(
                requests.size(),
                "SELECT count(*) FROM service_request WHERE user_id = ? AND document LIKE '%\"bound\":{%' AND id IN ("
                        + listed(requests) + ")");
    }

    void untilOrdered(List<Long> requests) throws Exception {
        String isOfOne = requests.stream()
                .map(id -> "client_order_id LIKE 'request-" + id + "-1-%'")
                .collect(Collectors.joining(" OR "));
        until(requests.size(), "SELECT count(*) FROM paper_order WHERE user_id = ? AND (" + isOfOne + ")");
    }

    @Override
    public void close() throws SQLException {
        books.close();
        account.close();
        reader.close();
    }

    private void hold(Connection connection, String table) throws SQLException {
        try (PreparedStatement lock =
                connection.prepareStatement("SELECT 1 FROM " + table + " WHERE user_id = ? FOR UPDATE")) {
            lock.setObject(1, user);
            lock.executeQuery().close();
        }
    }

    private void until(int expected, String counting) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (count(counting) < expected) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("It did not come so far: " + counting);
            }
            Thread.sleep(5);
        }
    }

    private int count(String counting) throws SQLException {
        try (PreparedStatement query = reader.prepareStatement(counting)) {
            query.setObject(1, user);
            try (ResultSet count = query.executeQuery()) {
                count.next();
                return count.getInt(1);
            }
        }
    }

    private static String listed(List<Long> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
