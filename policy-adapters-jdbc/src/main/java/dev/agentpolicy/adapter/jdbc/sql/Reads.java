package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailure;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.WriteLock.ConnectionWork;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single statements outside the lanes. They fail with {@link Unavailable} if the database does not answer in
 * time. */
public final class Reads {
    private static final Logger LOG = LoggerFactory.getLogger(Reads.class);

    private final ConnectionSource readers;
    private final Dialect dialect;
    private final Supplier<Optional<String>> stop;
    private final Jdbi jdbi;

    /** @param stop gives the reason why nothing is to be changed for the time being, if there is one */
    public Reads(ConnectionSource readers, Dialect dialect, Supplier<Optional<String>> stop) {
        this.stop = stop;
        this.readers = readers;
        this.dialect = dialect;
        jdbi = Jdbi.create(readers::getConnection).registerArgument(new InstantArgument());
        // Bound values must not be logged.
        jdbi.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
    }

    public Dialect dialect() {
        return dialect;
    }

    public <T> T with(Function<Handle, T> work) {
        try {
            return jdbi.withHandle(work::apply);
        } catch (JdbiException failed) {
            throw isAway(failed) ? away(failed) : failed;
        }
    }

    /** The same for work that changes something. */
    public <T> T change(Function<Handle, T> work) {
        stop.get().ifPresent(reason -> {
            throw Unavailable.stopped(reason);
        });
        return with(handle -> {
            try {
                return dialect.writeLock().during(handle.getConnection(), own -> work.apply(handle));
            } catch (SQLException failed) {
                throw new SqlFailed(failed);
            }
        });
    }

    /** Executes one statement that changes something; returns how many rows it changed. */
    public int update(String sql, @Nullable Object... values) {
        return change(handle -> handle.execute(sql, values));
    }

    /** The first row of a query, or empty. It avoids the cost of JDBI, for queries of every call. */
    public <T> Optional<T> first(String sql, RowMapper<T> mapper, Object... values) {
        return list(sql, mapper, values).stream().findFirst();
    }

    /** Every row of a query. */
    public <T> List<T> list(String sql, RowMapper<T> mapper, Object... values) {
        return connected(connection -> list(connection, sql, mapper, values));
    }

    /**
     * Every row of a query over the tables of all users. While a worker of a cluster is away, those of the other workers, each of
     * which is then asked by itself; with a limit, up to so many of each shard.
     */
    public <T> List<T> ofAllUsers(String sql, RowMapper<T> mapper, Object... values) {
        try {
            return list(sql, mapper, values);
        } catch (Unavailable away) {
            List<ConnectionSource> workers = readers.workers();
            if (workers.isEmpty()) {
                throw away;
            }
            LOG.debug("Not every worker answers, so each is asked by itself.", away);
            return workers.stream()
                    .flatMap(worker -> ofWorker(worker, sql, mapper, values).stream())
                    .toList();
        }
    }

    private <T> List<T> ofWorker(ConnectionSource worker, String sql, RowMapper<T> mapper, Object... values) {
        List<T> rows = new ArrayList<>();
        try (Connection connection = worker.getConnection()) {
            for (String ofShard : dialect.ofShards(connection, sql)) {
                rows.addAll(list(connection, ofShard, mapper, values));
            }
        } catch (SQLException failed) {
            if (!SqlFailure.isPassing(failed)) {
                throw new SqlFailed(failed);
            }
            LOG.debug("A worker does not answer.", failed);
        }
        return rows;
    }

    /** Inserts a row; returns false if there is one with the same key. */
    public boolean insert(String sql, @Nullable Object... values) {
        try {
            return update(sql, values) > 0;
        } catch (JdbiException failed) {
            if (isTaken(failed)) {
                return false;
            }
            throw failed;
        }
    }

    /** Does work on one connection. */
    public <T> T connected(ConnectionWork<T> work) {
        return connected(readers, work);
    }

    /** The same for work on rows of this user, or of others in the same lane; on a cluster at their worker. */
    public <T> T connected(UserId user, ConnectionWork<T> work) {
        return connected(readers.of(user), work);
    }

    private static <T> T connected(ConnectionSource source, ConnectionWork<T> work) {
        try (Connection connection = source.getConnection()) {
            return work.on(connection);
        } catch (SQLException failed) {
            throw SqlFailure.isPassing(failed) ? away(failed) : new SqlFailed(failed);
        }
    }

    /** Every row of a query. */
    public static <T> List<T> list(Connection connection, String sql, RowMapper<T> mapper, Object... values)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setObject(i + 1, values[i]);
            }
            List<T> rows = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rows.add(mapper.map(row));
                }
            }
            return rows;
        }
    }

    /** Makes a value of one row. */
    public interface RowMapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    private static Unavailable away(Exception failed) {
        return new Unavailable("The database does not answer now; try again in a moment.", failed);
    }

    /** Whether the database answers now. */
    public boolean isAnswered() {
        try {
            return with(handle ->
                    handle.createQuery("SELECT 1").mapTo(Integer.class).one() == 1);
        } catch (Unavailable | JdbiException away) {
            return false;
        }
    }

    /** Whether a statement failed because a row with the same key exists. */
    public static boolean isTaken(JdbiException failed) {
        SQLException cause = SqlFailed.in(failed);
        return cause != null && SqlFailure.isTaken(cause);
    }

    private static boolean isAway(JdbiException failed) {
        SQLException cause = SqlFailed.in(failed);
        return cause != null && SqlFailure.isPassing(cause);
    }

    /** Binds instants independently of the time zone of the machine. */
    private static final class InstantArgument extends AbstractArgumentFactory<Instant> {

        InstantArgument() {
            super(Types.TIMESTAMP_WITH_TIMEZONE);
        }

        @Override
        protected Argument build(Instant value, ConfigRegistry config) {
            return (position, statement, context) -> statement.setObject(position, Timestamps.column(value));
        }
    }

    /** How far the nodes have got with something, kept in the database. It never goes back. */
    public record Watermark(Reads reads, String name) {
        public Optional<Instant> reached() {
            return reads.first(
                    "SELECT reached FROM progress WHERE name = ?", row -> RowReader.instant(row, "reached"), name);
        }

        public void advance(Instant to) {
            if (reads.update("UPDATE progress SET reached = ? WHERE name = ? AND reached < ?", to, name, to) == 0) {
                reads.insert(
                        "INSERT INTO progress(name, reached) SELECT CAST(? AS varchar(64)), CAST(? AS timestamp(6) with time"
                                + " zone) WHERE NOT EXISTS (SELECT 1 FROM progress WHERE name = ?)",
                        name,
                        to,
                        name);
            }
        }
    }
}
