package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.H2Dialect;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountRemoval;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.AgentKeys;
import dev.agentpolicy.domain.port.BrokerAccounts;
import dev.agentpolicy.domain.port.ConnectionStore;
import dev.agentpolicy.domain.port.DailyCalls;
import dev.agentpolicy.domain.port.Erasures;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.Rehearsals;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges;
import dev.agentpolicy.domain.port.signin.PushDevices;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Consumer;

/** Stores for tests. */
public final class TestStores {

    private TestStores() {}

    public static DatabaseConfig config(String url, InstantSource clock) {
        boolean isH2 = url.startsWith(H2Dialect.PREFIX);
        return DatabaseConfig.of(url, isH2 ? "sa" : null, isH2 ? "" : null, clock, new TrueChance());
    }

    public static String h2(Path folder) {
        return "jdbc:h2:file:" + folder.resolve("new").resolve("policy").toAbsolutePath();
    }

    /** A store whose lanes run. */
    public static Ports ports(JdbcStore store, EventSigner signer) {
        return new StorePorts(store, accounts(store, signer, head -> {}));
    }

    /** Starts the lanes of a store, which signs with a key that is stored from now on. */
    public static Accounts accounts(JdbcStore store, EventSigner signer, Consumer<ChainHead> heads) {
        if (signer instanceof JdkSigner own
                && store.sealedKeys().all().stream().noneMatch(key -> key.kid().equals(own.keyId()))) {
            store.sealedKeys().storePublic(own.key());
        }
        return store.accounts(signer, heads);
    }

    /** Executes one statement on a connection of its own. */
    public static void execute(String url, String sql) {
        DatabaseConfig config = config(url, InstantSource.system());
        try (Connection connection =
                        DriverManager.getConnection(Dialect.of(url).url(url), config.user(), config.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new SqlFailed(failed);
        }
    }

    /** What a query of one number answers, on a connection of its own. */
    public static long number(String url, String sql) {
        DatabaseConfig config = config(url, InstantSource.system());
        try (Connection connection =
                DriverManager.getConnection(Dialect.of(url).url(url), config.user(), config.password())) {
            return number(connection, sql);
        } catch (SQLException failed) {
            throw new SqlFailed(failed);
        }
    }

    public static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private record StorePorts(JdbcStore store, Accounts accounts) implements Ports {

        @Override
        public AccountReader accountReader() {
            return store.accountReader();
        }

        @Override
        public EventLog eventLog() {
            return store.eventLog();
        }

        @Override
        public Erasures erasures() {
            return store.erasures();
        }

        @Override
        public AgentKeys agentKeys() {
            return store.agentKeys();
        }

        @Override
        public RequestQueue requestQueue() {
            return store.requestQueue();
        }

        @Override
        public FillLog fillLog() {
            return store.fillLog();
        }

        @Override
        public DailyCalls dailyCalls() {
            return store.dailyCalls();
        }

        @Override
        public MailTokens mailTokens() {
            return store.mailTokens();
        }

        @Override
        public AccountRemoval accountRemoval() {
            return store.accountRemoval();
        }

        @Override
        public Users users() {
            return store.users();
        }

        @Override
        public Sessions sessions() {
            return store.sessions();
        }

        @Override
        public Devices devices() {
            return store.devices();
        }

        @Override
        public PushDevices pushDevices() {
            return store.pushDevices();
        }

        @Override
        public Rehearsals rehearsals() {
            return store.rehearsals();
        }

        @Override
        public BrokerAccounts brokerAccounts() {
            store.establishInstallation(new UUID(0, 1));
            return store.brokerAccounts();
        }

        @Override
        public ConnectionStore connections() {
            return store.connections();
        }

        @Override
        public PasskeyChallenges passkeyChallenges() {
            return store.passkeyChallenges();
        }
    }

    /** The source of randomness of the service. */
    private static final class TrueChance implements RandomSource {
        private final SecureRandom random = new SecureRandom();

        @Override
        public byte[] bytes(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        @Override
        public UUID uuid() {
            return UUID.randomUUID();
        }
    }
}
