package dev.agentpolicy.app.config;

import dev.agentpolicy.app.config.LogSetup.LogCalls;
import dev.agentpolicy.app.config.LogSetup.LogFormat;
import dev.agentpolicy.app.mail.MailSettings;
import dev.agentpolicy.domain.event.tlog.LogPolicy;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.connection.OAuthClients;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;

/**
 * The settings of the service (docs/configuration.md).
 *
 * @param host address to listen on
 * @param port to listen on; 0 picks a free one
 * @param metricsPort port of the metrics; empty for that of everything else
 * @param database where everything is kept
 * @param rateLimitDatabase database of the call counters that all nodes share; empty if each node counts alone
 * @param callsPerSecond calls a second of each key, and of each address that calls without a valid key
 * @param masterKeyFile what the signing keys are sealed with
 * @param signUp whether new users may sign up
 * @param signUpsPerHour of one address (of a /64 of IPv6) within an hour; 0 for no limit
 * @param trustProxy whether to take the address of a caller from the headers that a proxy sets
 * @param appUrl address of the console, for links; empty for the address the service listens on
 * @param baseUrl address of the agent API, for links; empty for the address the service listens on
 * @param mail how mails are sent; empty if none are
 * @param push whether users may have notifications pushed to their devices
 * @param requestWindow how long a request waits for its user
 * @param agentLimits limits of all agents, whatever their keys allow
 * @param ownerLimits what a user may write in a day
 * @param custodians how brokers are reached and synced
 * @param connections how programs are connected by consent
 * @param lanes number of connections that write, each for some of the users; 0 for the default of the database
 * @param anchoring where anchors are written; empty for no anchors
 * @param log the transparency log
 * @param minFreeMegabytes free space of the volume of the H2 file below which agents' decisions stop; 0 for no limit
 * @param rollback where heads are recorded outside of the database
 * @param clockTrust how far the clock may be off
 * @param logFormat format of the lines of the log
 * @param logCalls calls that the log has a line for
 * @param unknown variables that begin with POLICY_ and are not settings
 */
public record Config(
        String host,
        int port,
        OptionalInt metricsPort,
        Database database,
        Optional<Database> rateLimitDatabase,
        int callsPerSecond,
        Path masterKeyFile,
        SignUps signUp,
        int signUpsPerHour,
        Choice trustProxy,
        Optional<URI> appUrl,
        Optional<URI> baseUrl,
        Optional<MailSettings> mail,
        Switch push,
        Duration requestWindow,
        AgentLimits agentLimits,
        OwnerLimits ownerLimits,
        Custodians custodians,
        Connections connections,
        int lanes,
        Optional<Anchoring> anchoring,
        LogSettings log,
        int minFreeMegabytes,
        RollbackGuarding rollback,
        ClockTrust clockTrust,
        LogFormat logFormat,
        LogCalls logCalls,
        SortedSet<String> unknown) {
    static final String DEFAULT_DATABASE = "jdbc:h2:file:./data/policy";
    static final String DEFAULT_MASTER_KEY_FILE = "./data/master-key.json";
    static final int DEFAULT_PORT = 8080;
    static final int DEFAULT_CALLS_PER_SECOND = 50;
    static final int DEFAULT_REQUEST_DAYS = 7;
    static final int DEFAULT_MIN_FREE_MB = 512;
    static final int DEFAULT_SIGN_UPS_PER_HOUR = 10;
    static final int DEFAULT_MAX_PENDING_PER_KEY = 25;
    static final int DEFAULT_DECISIONS_PER_DAY = 250_000;
    static final int DEFAULT_IPS_VERSIONS_PER_DAY = 200;
    static final int DEFAULT_HOLDINGS_WRITES_PER_DAY = 2_000;
    private static final int MAX_PORT = 65_535;
    private static final int MAX_CALLS_PER_SECOND = 1_000_000;
    private static final int MAX_SIGN_UPS_PER_HOUR = 1_000_000;
    private static final int MAX_REQUEST_DAYS = 365;
    private static final int MAX_PENDING_PER_KEY = 1_000_000;
    private static final int MAX_LANES = 64;
    private static final int MAX_MIN_FREE_MB = 1_000_000;
    private static final int WHAT_SUITS = 0;

    /** Who may sign up. */
    public enum SignUps {
        OPEN,
        CLOSED
    }

    /** Yes or no. */
    public enum Choice {
        NO,
        YES
    }

    /** On or off. */
    public enum Switch {
        OFF,
        ON
    }

    /**
     * Where everything is kept.
     *
     * @param url JDBC address, of H2 or PostgreSQL
     * @param user empty if the address has it or none is needed
     * @param password likewise; never printed
     * @param workers where the workers of a cluster are reached, by the address that the cluster has for each
     */
    public record Database(String url, Optional<String> user, Optional<String> password, Map<String, String> workers) {
        @Override
        public String toString() {
            return url.replaceAll("[?;].*", "");
        }
    }

    /**
     * How brokers are reached and synced.
     *
     * @param snapshotMaxAge how long the holdings of a synced custodian may be decided by
     * @param syncInterval between two syncs of a custodian without orders under way
     * @param alpacaPaper where Alpaca simulates accounts, without the version of its API
     * @param alpacaLive where Alpaca trades with real money, likewise
     * @param alpacaData where Alpaca's market data is, likewise; for both
     * @param alpacaLiveAccounts whether accounts that trade with real money may be connected and used
     */
    public record Custodians(
            Duration snapshotMaxAge,
            Duration syncInterval,
            URI alpacaPaper,
            URI alpacaLive,
            URI alpacaData,
            Switch alpacaLiveAccounts) {
        private static final String DEFAULT_ALPACA_PAPER = "https://paper-api.alpaca.markets";
        private static final String DEFAULT_ALPACA_LIVE = "https://api.alpaca.markets";
        private static final String DEFAULT_ALPACA_DATA = "https://data.alpaca.markets";
        private static final int DEFAULT_MAX_AGE_SECONDS = 900;
        private static final int DEFAULT_SYNC_SECONDS = 60;
        private static final int MAX_SECONDS = 24 * 60 * 60;

        static Custodians of(Settings settings) {
            int age = settings.number("POLICY_SNAPSHOT_MAX_AGE_SECONDS", 1, MAX_SECONDS, DEFAULT_MAX_AGE_SECONDS);
            int interval = settings.number("POLICY_CUSTODIAN_SYNC_SECONDS", 1, MAX_SECONDS, DEFAULT_SYNC_SECONDS);
            if (interval >= age) {
                throw new CannotStart("POLICY_SNAPSHOT_MAX_AGE_SECONDS must be above POLICY_CUSTODIAN_SYNC_SECONDS,"
                        + " which is " + interval + ", not " + age + ".");
            }
            return new Custodians(
                    Duration.ofSeconds(age),
                    Duration.ofSeconds(interval),
                    settings.broker("POLICY_ALPACA_PAPER_URL", DEFAULT_ALPACA_PAPER),
                    settings.broker("POLICY_ALPACA_LIVE_URL", DEFAULT_ALPACA_LIVE),
                    settings.broker("POLICY_ALPACA_DATA_URL", DEFAULT_ALPACA_DATA),
                    settings.choice("POLICY_ALPACA_LIVE", Switch.OFF));
        }
    }

    /** Who may read the transparency log, if there is one. */
    public enum LogReaders {
        OFF,
        /** Live keys with the scope {@code read}, and users who are signed in. */
        KEYS,
        PUBLIC
    }

    /**
     * The transparency log.
     *
     * @param origin its identity; empty for that of the database, or a new one made from the address of the service
     * @param address host and path of the agent API; empty if it has no address for others
     * @param policy file that names the witnesses; empty if nobody is asked
     */
    public record LogSettings(
            LogReaders readers, Optional<String> origin, Optional<String> address, Optional<Path> policy) {
        private static final String ORIGIN = "POLICY_TLOG_ORIGIN";

        static LogSettings of(Settings settings) {
            LogSettings log = new LogSettings(
                    settings.choice("POLICY_TLOG", LogReaders.KEYS),
                    settings.text(ORIGIN),
                    settings.address("POLICY_BASE_URL").map(url -> url.getRawAuthority() + url.getRawPath()),
                    settings.text("POLICY_TLOG_POLICY").map(Path::of));
            log.requireOrigin(log.originForNew());
            return log;
        }

        /** Refuses what names no log, or another one than the setting. */
        public void requireOrigin(String named) {
            if (!named.matches("[!-~&&[^+]]{1,255}")) {
                throw new CannotStart("The origin of a log (" + ORIGIN + ") must be an address without scheme, such as"
                        + " example.com/tlog, of at most 255 characters of ASCII without a blank or +, not '" + named
                        + "'.");
            }
            if (!origin.orElse(named).equals(named)) {
                throw new CannotStart(ORIGIN + " must be empty, or the origin " + named + ".");
            }
        }

        /** Reads the file that names the witnesses. */
        public Optional<LogPolicy> readPolicy() {
            return policy.map(file -> {
                try {
                    return LogPolicy.read(Files.readAllBytes(file)).fold(read -> read, problems -> {
                        throw new CannotStart("The file " + file + " (POLICY_TLOG_POLICY) is no policy: "
                                + problems.get(0).message());
                    });
                } catch (IOException unreadable) {
                    throw new CannotStart("The file " + file + " (POLICY_TLOG_POLICY) cannot be read.", unreadable);
                }
            });
        }

        /** The origin of a log that is begun now. */
        public String originForNew() {
            return origin.orElseGet(() -> address.orElse("localhost") + "/tlog");
        }
    }

    /**
     * How programs are connected by consent.
     *
     * @param documents which client documents are used
     * @param refreshGrace how long a refresh token works after its successor was first used
     */
    public record Connections(OAuthClients.DocumentUse documents, Duration refreshGrace) {
        private static final int DEFAULT_GRACE_SECONDS = 7_200;
        private static final int MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

        static Connections of(Settings settings) {
            return new Connections(
                    settings.choice("POLICY_OAUTH_CLIENT_DOCUMENTS", OAuthClients.DocumentUse.FETCH),
                    Duration.ofSeconds(settings.number(
                            "POLICY_OAUTH_REFRESH_GRACE_SECONDS", 0, MAX_GRACE_SECONDS, DEFAULT_GRACE_SECONDS)));
        }
    }

    /**
     * How anchors are kept.
     *
     * @param directory outside of the database, and of its backups
     * @param pause between two
     * @param override the number of an anchor that the database may be behind, 0 for none
     */
    public record Anchoring(Path directory, Duration pause, int override) {
        private static final int DEFAULT_MINUTES = 60;
        private static final int MAX_MINUTES = 7 * 24 * 60;

        static Optional<Anchoring> of(Settings settings) {
            int minutes = settings.number("POLICY_ANCHOR_MINUTES", 1, MAX_MINUTES, DEFAULT_MINUTES);
            int override = settings.number("POLICY_ANCHOR_OVERRIDE", 0, Integer.MAX_VALUE, 0);
            return settings.text("POLICY_ANCHOR_DIR")
                    .map(any -> new Anchoring(
                            settings.path("POLICY_ANCHOR_DIR", ""), Duration.ofMinutes(minutes), override));
        }
    }

    /**
     * How heads are recorded outside of the database.
     *
     * @param directory beside the master key unless another is set
     * @param override the code of the one loss that the database may have; empty for none
     */
    public record RollbackGuarding(Path directory, String override) {
        static RollbackGuarding of(Settings settings, Path masterKeyFile) {
            Path parent = masterKeyFile.getParent();
            String besideIt = parent == null ? "." : parent.toString();
            return new RollbackGuarding(
                    settings.path("POLICY_STATE_DIR", besideIt),
                    settings.text("POLICY_ROLLBACK_OVERRIDE").orElse(""));
        }
    }

    /**
     * How far the clock is trusted.
     *
     * @param tolerance by how much it may jump, or differ from the clock of the database
     * @param acceptsDatabase whether the service starts although its clock differs from that of the database
     * @param newest the service starts although events up to this time are newer than its clock
     */
    public record ClockTrust(Duration tolerance, boolean acceptsDatabase, Instant newest) {
        public static final String DATABASE = "database";
        private static final String OVERRIDE = "POLICY_CLOCK_OVERRIDE";
        private static final int DEFAULT_SECONDS = 300;
        private static final int MAX_SECONDS = 24 * 60 * 60;

        static ClockTrust of(Settings settings) {
            int seconds = settings.number("POLICY_CLOCK_TOLERANCE_SECONDS", 1, MAX_SECONDS, DEFAULT_SECONDS);
            boolean acceptsDatabase = false;
            Instant newest = Instant.MIN;
            for (String part :
                    settings.text(OVERRIDE).map(text -> text.split(",")).orElse(new String[0])) {
                if (part.strip().equals(DATABASE)) {
                    acceptsDatabase = true;
                } else {
                    newest = instant(part.strip());
                }
            }
            return new ClockTrust(Duration.ofSeconds(seconds), acceptsDatabase, newest);
        }

        private static Instant instant(String text) {
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException malformed) {
                throw new CannotStart(
                        OVERRIDE
                                + " must be database, or a time like 2026-11-21T09:40:00Z, or both with a comma between, not '"
                                + text + "'.",
                        malformed);
            }
        }
    }

    /** How the operators of push services reach that of this service; empty if no setting says it. */
    public Optional<String> pushContact() {
        return appUrl.filter(url -> url.getScheme().equals("https"))
                .map(URI::toString)
                .or(() -> mail.map(it -> "mailto:" + it.from()));
    }

    /** Reads the settings; throws {@link CannotStart} at the first that makes no sense. */
    public static Config of(Map<String, String> environment) {
        Settings settings = new Settings(environment);
        Optional<String> user = settings.text("POLICY_DB_USER");
        Optional<String> password = settings.text("POLICY_DB_PASSWORD");
        Database database = new Database(
                settings.jdbcUrl("POLICY_DB_URL").orElse(DEFAULT_DATABASE),
                user,
                password,
                settings.servers("POLICY_DB_WORKERS"));
        Path masterKeyFile = settings.path("POLICY_MASTER_KEY_FILE", DEFAULT_MASTER_KEY_FILE);
        return new Config(
                settings.text("POLICY_HOST").orElse("127.0.0.1"),
                settings.number("POLICY_PORT", 0, MAX_PORT, DEFAULT_PORT),
                metricsPort(settings),
                database,
                settings.jdbcUrl("POLICY_RATE_LIMIT_URL").map(url -> new Database(url, user, password, Map.of())),
                settings.number("POLICY_RATE_LIMIT_PER_SECOND", 1, MAX_CALLS_PER_SECOND, DEFAULT_CALLS_PER_SECOND),
                masterKeyFile,
                settings.choice("POLICY_SIGNUP", SignUps.OPEN),
                settings.number("POLICY_SIGNUPS_PER_HOUR", 0, MAX_SIGN_UPS_PER_HOUR, DEFAULT_SIGN_UPS_PER_HOUR),
                settings.choice("POLICY_TRUST_PROXY", Choice.NO),
                settings.address("POLICY_APP_URL"),
                settings.address("POLICY_BASE_URL"),
                MailUrl.read(settings),
                settings.choice("POLICY_PUSH", Switch.OFF),
                Duration.ofDays(settings.number("POLICY_REQUEST_DAYS", 1, MAX_REQUEST_DAYS, DEFAULT_REQUEST_DAYS)),
                agentLimits(settings),
                ownerLimits(settings),
                Custodians.of(settings),
                Connections.of(settings),
                settings.number("POLICY_LANES", 1, MAX_LANES, WHAT_SUITS),
                Anchoring.of(settings),
                LogSettings.of(settings),
                settings.number("POLICY_MIN_FREE_MB", 0, MAX_MIN_FREE_MB, DEFAULT_MIN_FREE_MB),
                RollbackGuarding.of(settings, masterKeyFile),
                ClockTrust.of(settings),
                settings.choice("POLICY_LOG_FORMAT", LogFormat.TEXT),
                settings.choice("POLICY_LOG_CALLS", LogCalls.NONE),
                settings.unknown());
    }

    private static OptionalInt metricsPort(Settings settings) {
        OptionalInt port = settings.number("POLICY_METRICS_PORT", 0, MAX_PORT);
        int main = settings.number("POLICY_PORT", 0, MAX_PORT, DEFAULT_PORT);
        if (main != 0 && port.equals(OptionalInt.of(main))) {
            throw new CannotStart("POLICY_METRICS_PORT must differ from POLICY_PORT, which is " + main
                    + "; leave it empty to have the metrics there.");
        }
        return port;
    }

    private static AgentLimits agentLimits(Settings settings) {
        return new AgentLimits(
                settings.number("POLICY_MAX_PENDING_PER_KEY", 0, MAX_PENDING_PER_KEY, DEFAULT_MAX_PENDING_PER_KEY),
                settings.number("POLICY_DECISIONS_PER_DAY", 0, Integer.MAX_VALUE, DEFAULT_DECISIONS_PER_DAY));
    }

    private static OwnerLimits ownerLimits(Settings settings) {
        return new OwnerLimits(
                settings.number("POLICY_IPS_VERSIONS_PER_DAY", 0, Integer.MAX_VALUE, DEFAULT_IPS_VERSIONS_PER_DAY),
                settings.number(
                        "POLICY_HOLDINGS_WRITES_PER_DAY", 0, Integer.MAX_VALUE, DEFAULT_HOLDINGS_WRITES_PER_DAY));
    }
}
