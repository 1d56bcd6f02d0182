package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Where events are found by key and verdict: rows of one user, key and verdict lie together, in the order of their places,
 * and so do all that are no decisions.
 */
public abstract class Filters {
    /** Stands for the table that has the index, in what is asked of it. */
    private static final String INDEXED = "#";

    /** An index that the database keeps, and every event is in. */
    static Filters kept() {
        return new Kept();
    }

    /** What an account has grown by: events behind the one place, up to the other. */
    public record Growth(UserId user, long before, long after) {}

    /** What a query reads, with the event as {@code e}. */
    abstract String rows();

    /** The name in {@link #rows} of what has the index. */
    abstract String indexed();

    /** A query of the index, in which {@code #} stands for what has it. */
    public final String query(String columns, String conditions) {
        return ("SELECT " + columns + " FROM " + rows() + " WHERE " + conditions).replace(INDEXED, indexed());
    }

    /**
     * The last place of a chain that is in the index, to be asked before the index; those behind it are to be looked for by
     * their places. Empty when all are in it.
     */
    public abstract OptionalLong end(Connection connection, UserId user) throws SQLException;

    /** Takes note of what a batch has written, in its transaction; where the database does so itself there is nothing to do. */
    public abstract void follow(Connection connection, Stream<Growth> accounts) throws SQLException;

    private static final class Kept extends Filters {
        @Override
        String rows() {
            return "policy_event e";
        }

        @Override
        String indexed() {
            return "e";
        }

        @Override
        public OptionalLong end(Connection connection, UserId user) {
            return OptionalLong.empty();
        }

        @Override
        public void follow(Connection connection, Stream<Growth> accounts) {
            // The database has done it already.
        }
    }
}
