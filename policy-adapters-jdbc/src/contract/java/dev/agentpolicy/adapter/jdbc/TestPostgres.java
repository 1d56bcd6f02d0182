package dev.agentpolicy.adapter.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.agentpolicy.adapter.jdbc.connect.Connections;
import dev.agentpolicy.domain.sample.FoldersInMemory;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A durable PostgreSQL server shared by all tests of a run, with a database for each test: one that is started here, or the
 * one whose URL the property {@value #PROPERTY} gives, whose user may create databases. If that is the coordinator of a
 * Citus cluster, the databases are distributed.
 */
public final class TestPostgres {
    static final String USER = "postgres";
    static final String PROPERTY = "policy.test.postgres";
    /** How many shards the databases of a cluster have. */
    private static final int SHARDS = 4;

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final Server SERVER = Server.of(System.getProperty(PROPERTY, ""));

    private TestPostgres() {}

    static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    .setDataDirectory(FoldersInMemory.create("postgres-"))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("max_wal_size", "128MB")
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException("PostgreSQL cannot be started, and without it nothing is tested.", failed);
        }
    }

    /** The URL of a new database that has the schema already; it is a copy of one that was migrated once. */
    public static String freshDatabase() {
        return freshDatabase(SHARDS);
    }

    /** The same for tests of batches: also on a cluster, all users are in one lane, since there is one shard. */
    static String freshDatabaseOfOneLane() {
        return freshDatabase(1);
    }

    private static String freshDatabase(int shards) {
        return isDistributed() ? newDatabase("", shards) : newDatabase(" TEMPLATE " + Template.NAME, shards);
    }

    /** The URL of a new, empty database; on a cluster it is distributed all the same. */
    public static String emptyDatabase() {
        return newDatabase("", SHARDS);
    }

    private static String newDatabase(String from, int shards) {
        String name = SERVER.prefix() + DATABASES.incrementAndGet();
        execute(SERVER.url(USER), "CREATE DATABASE " + name + from);
        String url = SERVER.url(name);
        SERVER.cluster().ifPresent(cluster -> cluster.join(name, url, shards));
        SERVER.dropAtEnd(name);
        return url;
    }

    /** A database of this version's schema, made at its first use. */
    private static final class Template {
        static final String NAME = nameOf(make());

        private static String make() {
            String url = emptyDatabase();
            Connections.migrate(TestStores.config(url, InstantSource.system()));
            return url;
        }
    }

    private static String nameOf(String url) {
        return url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
    }

    /** Whether the tests run on a server that was given. */
    public static boolean isGiven() {
        return SERVER instanceof Given;
    }

    /** Whether the tests run on a cluster, so that the rows of users lie on several nodes. */
    public static boolean isDistributed() {
        return SERVER.cluster().isPresent();
    }

    /**
     * Copies the files of a database and closes all its connections. Not on a cluster, whose servers would have to be put back
     * to one moment.
     *
     * @return replaces the database by the copy, and closes all connections again
     */
    public static Runnable backUp(String url) {
        assumeFalse(isDistributed(), "The servers of a cluster would have to be put back to one moment.");
        String server = SERVER.url(USER);
        String name = nameOf(url);
        String copy = name + "_copy" + DATABASES.incrementAndGet();
        cutOff(server, name);
        execute(server, "CREATE DATABASE " + copy + " TEMPLATE " + name + " STRATEGY FILE_COPY");
        SERVER.dropAtEnd(copy);
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

    /** Where the databases are. */
    private sealed interface Server permits Started, Given {

        static Server of(String given) {
            return given.isEmpty() ? new Started(start()) : Given.at(given);
        }

        String url(String database);

        /** What the names of databases begin with. */
        String prefix();

        Optional<TestCluster> cluster();

        /** Drops a database when this process ends, unless the server ends with it. */
        void dropAtEnd(String database);
    }

    private record Started(EmbeddedPostgres server) implements Server {
        @Override
        public String url(String database) {
            return server.getJdbcUrl(USER, database);
        }

        @Override
        public String prefix() {
            return "policy";
        }

        @Override
        public Optional<TestCluster> cluster() {
            return Optional.empty();
        }

        @Override
        public void dropAtEnd(String database) {
            // The server is deleted.
        }
    }

    /**
     * A server that was running before.
     *
     * @param root the URL up to its database
     * @param parameters the rest of the URL, from its question mark
     */
    private record Given(String root, String parameters, Optional<TestCluster> cluster) implements Server {

        static Given at(String url) {
            int slash = url.lastIndexOf('/') + 1;
            int mark = url.indexOf('?') < 0 ? url.length() : url.indexOf('?');
            return new Given(url.substring(0, slash), url.substring(mark), TestCluster.find(url));
        }

        @Override
        public String url(String database) {
            return root + database + parameters;
        }

        /** Other runs may use the same server. */
        @Override
        public String prefix() {
            return "policy_test_" + ProcessHandle.current().pid() + "_";
        }

        @Override
        public void dropAtEnd(String database) {
            String dropping = "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)";
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                execute(url(USER), dropping);
                cluster.ifPresent(all -> all.onWorkers(dropping));
            }));
        }
    }
}
