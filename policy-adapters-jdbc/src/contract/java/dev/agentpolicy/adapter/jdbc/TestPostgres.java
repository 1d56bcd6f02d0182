package dev.agentpolicy.adapter.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A durable PostgreSQL server shared by all tests of a run, with a database for each test. */
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

    /**
     * Copies the files of a database and closes all its connections.
     *
     * @return replaces the database by the copy, and closes all connections again
     */
    public static Runnable backUp(String url) {
        String server = SERVER.getJdbcUrl(USER, USER);
        String name = url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
        String copy = name + "_copy" + DATABASES.incrementAndGet();
        cutOff(server, name);
        execute(server, "CREATE DATABASE " + copy + " TEMPLATE " + name + " STRATEGY FILE_COPY");
        execute(server, "ALTER DATABASE " + name + " ALLOW_CONNECTIONS true");
        return () -> {
            cutOff(server, name);
            execute(server, "DROP DATABASE " + name);
            execute(server, "CREATE DATABASE " + name + " TEMPLATE " + copy + " STRATEGY FILE_COPY");
        };
    }

    private static void cutOff(String server, String name) {
        execute(server, "ALTER DATABASE " + name + " ALLOW_CONNECTIONS false");
        execute(server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
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
