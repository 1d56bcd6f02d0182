package dev.agentpolicy.adapter.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL that keeps what it commits, one server for all tests of a run, a database of its own for each. */
public final class TestPostgres {
    static final String USER = "postgres";
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final EmbeddedPostgres SERVER = start();

    private TestPostgres() {}

    static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "200")
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException("PostgreSQL cannot be started, and without it nothing is tested.", failed);
        }
    }

    /** The URL of a new, empty database. */
    public static String freshDatabase() {
        String name = "policy" + DATABASES.incrementAndGet();
        execute(SERVER.getJdbcUrl(USER, USER), "CREATE DATABASE " + name);
        return SERVER.getJdbcUrl(USER, name);
    }

    public static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
