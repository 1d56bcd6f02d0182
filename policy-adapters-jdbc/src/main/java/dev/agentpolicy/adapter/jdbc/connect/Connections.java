package dev.agentpolicy.adapter.jdbc.connect;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.agentpolicy.adapter.jdbc.dialect.CitusDialect;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.PostgresDialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the pools: one connection for each lane, some for readers, and a few for authentication and health checks. The
 * pools are separate, so that none can use up the connections of another.
 */
public final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final String LANES = "policy-lanes";
    private static final String ACCESS = "policy-access";
    private static final int ACCESS_CONNECTIONS = 4;
    private static final long MAX_WAIT_MILLIS = 2_000;
    private static final String READ_COMMITTED = "TRANSACTION_READ_COMMITTED";

    private final DatabaseConfig config;
    private final Dialect dialect;
    private final String url;

    public Connections(DatabaseConfig config, Dialect dialect) {
        this.config = config;
        this.dialect = dialect;
        this.url = dialect.url(config.url());
        PostgresTransport.warnIfOpen(url);
    }

    /**
     * The dialect of a database; a PostgreSQL server is asked whether its tables are distributed.
     *
     * @throws UnusableDatabase if it is no database of the service, or cannot be reached
     */
    public static Dialect dialect(DatabaseConfig config) {
        Dialect dialect = Dialect.of(config.url());
        return dialect instanceof PostgresDialect postgres ? asked(postgres, config) : dialect;
    }

    private static Dialect asked(PostgresDialect postgres, DatabaseConfig config) {
        try (Connection connection = once(postgres, config)) {
            Optional<PostgresDialect> distributed = CitusDialect.find(connection);
            if (distributed.isEmpty() && CitusDialect.isInstalled(connection)) {
                LOG.info(
                        "This database has the extension citus, but its tables are not distributed. To spread the users"
                                + " over its workers, stop this node and run: schema distribute");
            }
            return distributed.orElse(postgres);
        } catch (SQLException failed) {
            throw new UnusableDatabase(postgres.unreachable(failed), failed);
        }
    }

    /**
     * A connection of its own, without a pool.
     *
     * @throws UnusableDatabase if the database cannot be reached
     */
    public static Connection once(DatabaseConfig config) {
        Dialect dialect = Dialect.of(config.url());
        try {
            return once(dialect, config);
        } catch (SQLException failed) {
            throw new UnusableDatabase(dialect.unreachable(failed), failed);
        }
    }

    private static Connection once(Dialect dialect, DatabaseConfig config) throws SQLException {
        return DriverManager.getConnection(dialect.url(config.url()), properties(dialect, config));
    }

    private static Properties properties(Dialect dialect, DatabaseConfig config) {
        Properties properties = new Properties();
        properties.putAll(dialect.properties());
        if (config.user() != null) {
            properties.setProperty("user", config.user());
        }
        if (config.password() != null) {
            properties.setProperty("password", config.password());
        }
        return properties;
    }

    HikariDataSource lanes() {
        return opened(ofLanes(pool(LANES, dialect.lanes(config.lanes()))));
    }

    private HikariConfig ofLanes(HikariConfig pool) {
        pool.setAutoCommit(false);
        pool.setConnectionInitSql(dialect.initialSqlOfLanes());
        // Otherwise the first rollback would undo the initial SQL.
        pool.setIsolateInternalQueries(true);
        return pool;
    }

    /**
     * Connections for lanes straight to a worker of a cluster, whether or not it can be reached now.
     *
     * @param worker its address, as the cluster knows it
     */
    HikariDataSource lanes(String worker) {
        return new HikariDataSource(ofWorker(ofLanes(pool(LANES, dialect.lanes(config.lanes()))), worker));
    }

    /** Likewise for everything else. */
    HikariDataSource access(String worker) {
        return new HikariDataSource(ofWorker(pool(ACCESS, ACCESS_CONNECTIONS), worker));
    }

    private HikariConfig ofWorker(HikariConfig pool, String worker) {
        String address = config.workers().getOrDefault(worker, worker);
        pool.setPoolName(pool.getPoolName() + "-" + address);
        pool.setJdbcUrl(PostgresDialect.urlOf(url, address));
        pool.setConnectionInitSql(CitusDialect.requiringWorker(worker) + "; " + pool.getConnectionInitSql());
        PostgresTransport.warnIfOpen(pool.getJdbcUrl());
        pool.setMinimumIdle(0);
        pool.setInitializationFailTimeout(-1);
        return pool;
    }

    HikariDataSource readers() {
        return opened(pool("policy-readers", config.readers()));
    }

    HikariDataSource access() {
        return opened(pool(ACCESS, ACCESS_CONNECTIONS));
    }

    void requireDurable(HikariDataSource lanes) {
        try (Connection connection = lanes.getConnection()) {
            dialect.requireDurable(connection);
        } catch (SQLException failed) {
            throw new UnusableDatabase(dialect.unreachable(failed), failed);
        }
    }

    void migrate() {
        migrate(dialect, url, config);
    }

    /** Brings the schema of a database up to date. */
    public static void migrate(DatabaseConfig config) {
        Dialect dialect = Dialect.of(config.url());
        migrate(dialect, dialect.url(config.url()), config);
    }

    /** Safe when several nodes start at once: Flyway locks the schema while it works. */
    private static void migrate(Dialect dialect, String url, DatabaseConfig config) {
        try {
            flyway(dialect, url, config).load().migrate();
        } catch (FlywayException failed) {
            throw new UnusableDatabase(
                    dialect.damage(rootOf(failed))
                            .orElse("The schema cannot be brought up to date: " + failed.getMessage()),
                    failed);
        }
    }

    /** The migrations of a database. */
    public static FluentConfiguration flyway(Dialect dialect, String url, DatabaseConfig config) {
        return Flyway.configure(Connections.class.getClassLoader())
                .dataSource(url, config.user(), config.password())
                .locations("classpath:db/migration")
                .placeholders(Map.of(
                        "often_updated", dialect.oftenUpdated(),
                        "index_of_erased", dialect.indexOfErased(),
                        "only_unconfirmed", dialect.indexedWhere("unconfirmed_since IS NOT NULL"),
                        "only_attested", dialect.indexedWhere("is_attested"),
                        "only_unsigned", dialect.indexedWhere("unsigned_at IS NOT NULL"),
                        "only_scheduled", dialect.indexedWhere("scheduled_at IS NOT NULL"),
                        "only_open", dialect.indexedWhere("is_open"),
                        "only_waiting", dialect.indexedWhere("entry_index IS NULL")));
    }

    private HikariConfig pool(String name, int size) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName(name);
        pool.setJdbcUrl(url);
        pool.setUsername(config.user());
        pool.setPassword(config.password());
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(MAX_WAIT_MILLIS);
        pool.setTransactionIsolation(READ_COMMITTED);
        pool.setExceptionOverride(new ConnectionEviction());
        pool.setConnectionInitSql(dialect.initialSql());
        Properties properties = new Properties();
        properties.putAll(dialect.properties());
        pool.setDataSourceProperties(properties);
        return pool;
    }

    private HikariDataSource opened(HikariConfig pool) {
        try {
            return new HikariDataSource(pool);
        } catch (PoolInitializationException failed) {
            SQLException cause = rootOf(failed);
            throw new UnusableDatabase(dialect.unreachable(cause), failed);
        }
    }

    private static SQLException rootOf(Throwable failed) {
        SQLException found = new SQLException(failed.getMessage());
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                found = sql;
            }
        }
        return found;
    }

    /**
     * Says after which failures a connection is closed. The coordinator of a cluster reports a worker that is away with the state
     * of a lost connection, but its own connection, which brought this report, still works.
     */
    private static final class ConnectionEviction implements SQLExceptionOverride {
        private static final String GOES_ON = "ERROR";

        @java.lang.Override
        public Override adjudicate(SQLException failed) {
            Throwable told = failed instanceof BatchUpdateException ? failed.getCause() : failed;
            ServerErrorMessage reported =
                    told instanceof PSQLException reporting ? reporting.getServerErrorMessage() : null;
            return reported != null && GOES_ON.equals(reported.getSeverity())
                    ? Override.DO_NOT_EVICT
                    : Override.CONTINUE_EVICT;
        }
    }

    /** Checks whether connections to PostgreSQL may leave the machine without encryption. */
    public static final class PostgresTransport {
        private static final Logger LOG = LoggerFactory.getLogger(PostgresTransport.class);
        private static final Set<String> ENCRYPTED_MODES = Set.of("require", "verify-ca", "verify-full");

        private PostgresTransport() {}

        /** Warns if the URL names another host and does not require encryption. The URL is not logged. */
        public static void warnIfOpen(String url) {
            if (url.startsWith(PostgresDialect.PREFIX) && isOpen(url)) {
                LOG.warn(
                        "The connection to PostgreSQL leaves this machine and its URL does not require TLS: whoever is on the"
                                + " way may read and change everything. Add sslmode=verify-full to the URL (docs/operations.md).");
            }
        }

        /** Whether a URL permits unencrypted connections to another host; false if the driver refuses it. */
        static boolean isOpen(String url) {
            Map<String, String> settings = new HashMap<>();
            try {
                for (DriverPropertyInfo setting : DriverManager.getDriver(url).getPropertyInfo(url, new Properties())) {
                    if (setting.value != null) {
                        settings.put(setting.name, setting.value);
                    }
                }
            } catch (SQLException malformed) {
                LOG.debug("Opening the connection will say what is wrong with its URL.", malformed);
                return false;
            }
            boolean isLocal =
                    Stream.of(settings.getOrDefault("PGHOST", "").split(",")).allMatch(PostgresTransport::isLocal);
            return !isLocal && !isEncrypted(settings);
        }

        private static boolean isEncrypted(Map<String, String> settings) {
            String ssl = settings.get("ssl");
            String mode =
                    settings.getOrDefault("sslmode", ssl == null || ssl.equals("false") ? "prefer" : "verify-full");
            return ENCRYPTED_MODES.contains(mode.toLowerCase(Locale.ROOT))
                    || "require".equalsIgnoreCase(settings.get("gssEncMode"));
        }

        private static boolean isLocal(String host) {
            String name = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
            return name.isEmpty() || name.equals("localhost") || name.equals("::1") || name.startsWith("127.");
        }
    }
}
