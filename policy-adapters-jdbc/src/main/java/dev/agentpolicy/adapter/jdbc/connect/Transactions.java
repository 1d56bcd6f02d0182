package dev.agentpolicy.adapter.jdbc.connect;

import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.WriteLock.ConnectionWork;
import dev.agentpolicy.domain.account.Unavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Transactions outside the lanes. A transaction that cannot be made now fails with {@link Unavailable}. */
public record Transactions(ConnectionSource connections, Dialect dialect, Supplier<Optional<String>> stop) {
    /** About one wait for a lock: after a lock timeout there is no second wait. */
    private static final Duration PATIENCE = Duration.ofMillis(1_900);

    /**
     * Does some work in one transaction, and repeats it after a conflict with another transaction. Returns when it is
     * durable. After {@link Unavailable} it may be durable too, since the answer to a COMMIT can be lost.
     */
    public <T> T inOne(ConnectionWork<T> work) {
        stop.get().ifPresent(reason -> {
            throw Unavailable.stopped(reason);
        });
        Retries retries = new Retries(PATIENCE);
        while (true) {
            try {
                return once(work);
            } catch (SQLException failed) {
                SqlFailure failure = SqlFailure.of(failed);
                if (failure == SqlFailure.REFUSED) {
                    throw new IllegalStateException("The database refused a transaction.", failed);
                }
                if (failure == SqlFailure.AWAY || !retries.isNextAllowed()) {
                    throw new Unavailable("The database cannot do this now; try again in a moment.", failed);
                }
            }
        }
    }

    /** Executes one statement in a transaction of its own; returns how many rows it changed. */
    public int update(String sql, Object... values) {
        return inOne(connection -> update(connection, sql, values));
    }

    /** Executes one statement in a transaction; returns how many rows it changed. */
    public static int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** After a failure the pool rolls back and resets the connection. */
    private <T> T once(ConnectionWork<T> work) throws SQLException {
        try (Connection connection = connections.getConnection()) {
            connection.setAutoCommit(false);
            return dialect.writeLock().during(connection, inside -> {
                T done = work.on(inside);
                inside.commit();
                dialect.flush(inside);
                return done;
            });
        }
    }
}
