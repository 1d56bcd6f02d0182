package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.domain.account.Unavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Transactions of everybody but the lanes; what cannot be done now becomes {@link Unavailable}. */
public record Transactions(DataSource connections, Dialect dialect, Supplier<Optional<String>> stop) {
    private static final int MAX_TRIES = 5;
    /** As long as one wait for a lock: whoever waited that long in vain does not wait again. */
    private static final long PATIENCE_MILLIS = 1_900;

    /**
     * Does some work in one transaction, and all of it again when another transaction was faster. Returns when it is
     * durable; after {@link Unavailable} it may be durable all the same, as an answer to a COMMIT can be lost.
     */
    public <T> T inOne(Work<T> work) {
        stop.get().ifPresent(reason -> {
            throw Unavailable.stopped(reason);
        });
        long begun = System.nanoTime();
        for (int tries = 1; ; tries++) {
            try {
                return once(work);
            } catch (SQLException failed) {
                SqlFailure failure = SqlFailure.of(failed);
                if (failure == SqlFailure.REFUSED) {
                    throw new IllegalStateException("The database refused a transaction.", failed);
                }
                if (failure == SqlFailure.AWAY || tries == MAX_TRIES || isOver(begun)) {
                    throw new Unavailable("The database cannot do this now; try again in a moment.", failed);
                }
            }
        }
    }

    private static boolean isOver(long begun) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) > PATIENCE_MILLIS;
    }

    /** The pool rolls back what a failure left open, and sets the connection as it was. */
    private <T> T once(Work<T> work) throws SQLException {
        try (Connection connection = connections.getConnection()) {
            connection.setAutoCommit(false);
            return dialect.turns().during(connection, inside -> {
                T done = work.on(inside);
                inside.commit();
                dialect.flush(inside);
                return done;
            });
        }
    }

    /** What is done in a transaction, perhaps several times. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
