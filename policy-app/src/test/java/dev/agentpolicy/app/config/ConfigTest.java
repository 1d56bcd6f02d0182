package dev.agentpolicy.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.app.config.Config.Choice;
import dev.agentpolicy.app.config.Config.Custodians;
import dev.agentpolicy.app.config.Config.Database;
import dev.agentpolicy.app.config.Config.SignUps;
import dev.agentpolicy.app.config.Config.Switch;
import dev.agentpolicy.app.mail.MailSettings;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {

    @Test
    void a_mail_server_is_read_with_its_login() {
        MailSettings mail = Config.of(mail("smtps://policy%40example.com:p%40ss+word@mail.example.com"))
                .mail()
                .orElseThrow();

        assertThat(mail)
                .isEqualTo(new MailSettings(
                        true,
                        "mail.example.com",
                        465,
                        Optional.of("policy@example.com"),
                        Optional.of("p@ss+word"),
                        "policy@example.com",
                        "https://policy.example.com"));
        assertThat(mail.toString()).doesNotContain("p@ss");
        assertThat(Config.of(mail("smtp://localhost")).mail().orElseThrow().port())
                .isEqualTo(587);
        assertThat(Config.of(Map.of()).mail()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mail.example.com",
                "http://mail.example.com",
                "smtp://user@host",
                "smtp://a:s3cret@host/x",
                "smtp://"
            })
    void a_wrong_address_of_a_mail_server_is_refused_and_not_repeated(String url) {
        assertThatThrownBy(() -> Config.of(mail(url)))
                .isInstanceOf(CannotStart.class)
                .hasMessageStartingWith("POLICY_SMTP_URL must be")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POLICY_APP_URL", "POLICY_SMTP_FROM"})
    void mails_need_a_sender_and_an_address_for_links(String missing) {
        Map<String, String> settings = new HashMap<>(mail("smtp://localhost"));
        settings.remove(missing);

        assertThatThrownBy(() -> Config.of(settings))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining(missing);
    }

    private static Map<String, String> mail(String url) {
        return Map.of(
                "POLICY_SMTP_URL", url,
                "POLICY_SMTP_FROM", "policy@example.com",
                "POLICY_APP_URL", "https://policy.example.com");
    }

    @Test
    void without_any_variable_the_defaults_of_the_contract_hold() {
        Config config = Config.of(Map.of());

        assertThat(config.host()).isEqualTo("127.0.0.1");
        assertThat(config.port()).isEqualTo(8080);
        assertThat(config.metricsPort()).isEmpty();
        assertThat(config.database().url()).isEqualTo("jdbc:h2:file:./data/policy");
        assertThat(config.database().user()).isEmpty();
        assertThat(config.database().password()).isEmpty();
        assertThat(config.rateLimitDatabase()).isEmpty();
        assertThat(config.callsPerSecond()).isEqualTo(50);
        assertThat(config.masterKeyFile()).isEqualTo(Path.of("./data/master-key.json"));
        assertThat(config.signUp()).isEqualTo(SignUps.OPEN);
        assertThat(config.signUpsPerHour()).isEqualTo(10);
        assertThat(config.trustProxy()).isEqualTo(Choice.NO);
        assertThat(config.appUrl()).isEmpty();
        assertThat(config.baseUrl()).isEmpty();
        assertThat(config.requestWindow()).isEqualTo(Duration.ofDays(7));
        assertThat(config.agentLimits()).isEqualTo(new AgentLimits(25, 250_000));
        assertThat(config.ownerLimits()).isEqualTo(new OwnerLimits(200, 2_000));
        assertThat(config.custodians())
                .isEqualTo(new Custodians(
                        Duration.ofMinutes(15),
                        Duration.ofMinutes(1),
                        URI.create("https://paper-api.alpaca.markets"),
                        URI.create("https://api.alpaca.markets"),
                        URI.create("https://data.alpaca.markets"),
                        Switch.OFF));
        assertThat(config.lanes()).isZero();
        assertThat(config.rollback().directory()).isEqualTo(Path.of("./data"));
        assertThat(config.rollback().override()).isEmpty();
        assertThat(config.clockTrust().tolerance()).isEqualTo(Duration.ofSeconds(300));
        assertThat(config.clockTrust().acceptsDatabase()).isFalse();
        assertThat(config.clockTrust().newest()).isEqualTo(Instant.MIN);
        assertThat(config.logFormat()).isEqualTo(LogSetup.LogFormat.TEXT);
        assertThat(config.logCalls()).isEqualTo(LogSetup.LogCalls.NONE);
        assertThat(config.unknown()).isEmpty();
    }

    @Test
    void every_variable_is_read() {
        Map<String, String> environment = new HashMap<>();
        environment.put("POLICY_HOST", "0.0.0.0");
        environment.put("POLICY_PORT", "0");
        environment.put("POLICY_METRICS_PORT", "9090");
        environment.put("POLICY_DB_URL", "jdbc:postgresql://db/policy");
        environment.put("POLICY_DB_USER", "policy");
        environment.put("POLICY_DB_PASSWORD", "hunter22");
        environment.put("POLICY_DB_WORKERS", "worker1:5432=10.0.0.1:6432, [fd00::2]:5432=w2.example.com:5432");
        environment.put("POLICY_RATE_LIMIT_URL", "jdbc:postgresql://counters/policy");
        environment.put("POLICY_RATE_LIMIT_PER_SECOND", "500");
        environment.put("POLICY_MASTER_KEY_FILE", "/run/secrets/master-key.json");
        environment.put("POLICY_SIGNUP", "closed");
        environment.put("POLICY_SIGNUPS_PER_HOUR", "0");
        environment.put("POLICY_TRUST_PROXY", "yes");
        environment.put("POLICY_APP_URL", "https://app.example.com/");
        environment.put("POLICY_BASE_URL", "https://api.example.com/policy");
        environment.put("POLICY_REQUEST_DAYS", "1");
        environment.put("POLICY_MAX_PENDING_PER_KEY", "0");
        environment.put("POLICY_DECISIONS_PER_DAY", "0");
        environment.put("POLICY_IPS_VERSIONS_PER_DAY", "0");
        environment.put("POLICY_HOLDINGS_WRITES_PER_DAY", "50");
        environment.put("POLICY_SNAPSHOT_MAX_AGE_SECONDS", "30");
        environment.put("POLICY_CUSTODIAN_SYNC_SECONDS", "1");
        environment.put("POLICY_ALPACA_PAPER_URL", "http://127.0.0.1:9300/");
        environment.put("POLICY_ALPACA_LIVE_URL", "https://broker.example.com");
        environment.put("POLICY_ALPACA_DATA_URL", "http://127.0.0.1:9300");
        environment.put("POLICY_ALPACA_LIVE", "on");
        environment.put("POLICY_LANES", "8");
        environment.put("POLICY_LOG_FORMAT", "json");
        environment.put("POLICY_LOG_CALLS", "refused");

        Config config = Config.of(environment);

        assertThat(config.host()).isEqualTo("0.0.0.0");
        assertThat(config.port()).isZero();
        assertThat(config.metricsPort()).hasValue(9090);
        assertThat(config.database().url()).isEqualTo("jdbc:postgresql://db/policy");
        assertThat(config.database().user()).contains("policy");
        assertThat(config.database().password()).contains("hunter22");
        assertThat(config.rateLimitDatabase())
                .contains(new Database(
                        "jdbc:postgresql://counters/policy", Optional.of("policy"), Optional.of("hunter22"), Map.of()));
        assertThat(config.database().workers())
                .isEqualTo(Map.of("worker1:5432", "10.0.0.1:6432", "[fd00::2]:5432", "w2.example.com:5432"));
        assertThat(config.callsPerSecond()).isEqualTo(500);
        assertThat(config.masterKeyFile()).isEqualTo(Path.of("/run/secrets/master-key.json"));
        assertThat(config.signUp()).isEqualTo(SignUps.CLOSED);
        assertThat(config.signUpsPerHour()).isZero();
        assertThat(config.trustProxy()).isEqualTo(Choice.YES);
        assertThat(config.appUrl()).contains(URI.create("https://app.example.com"));
        assertThat(config.baseUrl()).contains(URI.create("https://api.example.com/policy"));
        assertThat(config.requestWindow()).isEqualTo(Duration.ofDays(1));
        assertThat(config.agentLimits()).isEqualTo(AgentLimits.NONE);
        assertThat(config.ownerLimits()).isEqualTo(new OwnerLimits(0, 50));
        assertThat(config.custodians())
                .isEqualTo(new Custodians(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(1),
                        URI.create("http://127.0.0.1:9300"),
                        URI.create("https://broker.example.com"),
                        URI.create("http://127.0.0.1:9300"),
                        Switch.ON));
        assertThat(config.lanes()).isEqualTo(8);
        assertThat(config.logFormat()).isEqualTo(LogSetup.LogFormat.JSON);
        assertThat(config.logCalls()).isEqualTo(LogSetup.LogCalls.REFUSED);
        assertThat(config.unknown()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POLICY_PORT                  | http           | POLICY_PORT must be a whole number from 0 to 65535, not 'http'.
            POLICY_PORT                  | 65536          | POLICY_PORT must be a whole number from 0 to 65535, not '65536'.
            POLICY_PORT                  | -1             | POLICY_PORT must be a whole number from 0 to 65535, not '-1'.
            POLICY_PORT                  | tcp://10.0.0.1 | POLICY_PORT must be a whole number from 0 to 65535, not 'tcp://10.0.0.1'.
            POLICY_METRICS_PORT          | 65536          | POLICY_METRICS_PORT must be a whole number from 0 to 65535, not '65536'.
            POLICY_METRICS_PORT          | 8080           | POLICY_METRICS_PORT must differ from POLICY_PORT, which is 8080; leave it empty to have the metrics there.
            POLICY_DB_URL                | mysql:secret   | POLICY_DB_URL must begin with jdbc:h2: or jdbc:postgresql:.
            POLICY_DB_WORKERS            | worker1:5432   | POLICY_DB_WORKERS must be pairs such as worker1:5432=10.0.0.1:5432, separated by commas, not 'worker1:5432'.
            POLICY_DB_WORKERS            | w:1=10.0.0.1   | POLICY_DB_WORKERS must be pairs such as worker1:5432=10.0.0.1:5432, separated by commas, not 'w:1=10.0.0.1'.
            POLICY_RATE_LIMIT_URL        | redis:secret   | POLICY_RATE_LIMIT_URL must begin with jdbc:h2: or jdbc:postgresql:.
            POLICY_RATE_LIMIT_PER_SECOND | 0              | POLICY_RATE_LIMIT_PER_SECOND must be a whole number from 1 to 1000000, not '0'.
            POLICY_MAX_PENDING_PER_KEY   | -1             | POLICY_MAX_PENDING_PER_KEY must be a whole number from 0 to 1000000, not '-1'.
            POLICY_DECISIONS_PER_DAY     | all            | POLICY_DECISIONS_PER_DAY must be a whole number from 0 to 2147483647, not 'all'.
            POLICY_IPS_VERSIONS_PER_DAY  | -1             | POLICY_IPS_VERSIONS_PER_DAY must be a whole number from 0 to 2147483647, not '-1'.
            POLICY_HOLDINGS_WRITES_PER_DAY | 2e3          | POLICY_HOLDINGS_WRITES_PER_DAY must be a whole number from 0 to 2147483647, not '2e3'.
            POLICY_SIGNUP                | perhaps        | POLICY_SIGNUP must be open or closed, not 'perhaps'.
            POLICY_SIGNUPS_PER_HOUR      | ten            | POLICY_SIGNUPS_PER_HOUR must be a whole number from 0 to 1000000, not 'ten'.
            POLICY_TRUST_PROXY           | true           | POLICY_TRUST_PROXY must be no or yes, not 'true'.
            POLICY_APP_URL               | app.example    | POLICY_APP_URL must be an http or https address, not 'app.example'.
            POLICY_BASE_URL              | ftp://example  | POLICY_BASE_URL must be an http or https address, not 'ftp://example'.
            POLICY_BASE_URL              | http://a b     | POLICY_BASE_URL must be an http or https address, not 'http://a b'.
            POLICY_REQUEST_DAYS          | 0.5            | POLICY_REQUEST_DAYS must be a whole number from 1 to 365, not '0.5'.
            POLICY_SNAPSHOT_MAX_AGE_SECONDS | 0 | POLICY_SNAPSHOT_MAX_AGE_SECONDS must be a whole number from 1 to 86400, not '0'.
            POLICY_SNAPSHOT_MAX_AGE_SECONDS | 60 | POLICY_SNAPSHOT_MAX_AGE_SECONDS must be above POLICY_CUSTODIAN_SYNC_SECONDS, which is 60, not 60.
            POLICY_CUSTODIAN_SYNC_SECONDS | 0 | POLICY_CUSTODIAN_SYNC_SECONDS must be a whole number from 1 to 86400, not '0'.
            POLICY_CUSTODIAN_SYNC_SECONDS | 900 | POLICY_SNAPSHOT_MAX_AGE_SECONDS must be above POLICY_CUSTODIAN_SYNC_SECONDS, which is 900, not 900.
            POLICY_ALPACA_LIVE           | yes            | POLICY_ALPACA_LIVE must be off or on, not 'yes'.
            POLICY_ALPACA_PAPER_URL      | alpaca         | POLICY_ALPACA_PAPER_URL must be an http or https address, not 'alpaca'.
            POLICY_ALPACA_PAPER_URL      | https://paper-api.alpaca.markets/v2 | POLICY_ALPACA_PAPER_URL must be an address without a path such as /v2, not 'https://paper-api.alpaca.markets/v2'.
            POLICY_ALPACA_PAPER_URL      | https://key:secret@broker.example | POLICY_ALPACA_PAPER_URL must be an address without a login.
            POLICY_ALPACA_LIVE_URL       | http://broker.example | POLICY_ALPACA_LIVE_URL must be an https address, or an http address of this machine (127.0.0.1, ::1 or localhost), not 'http://broker.example'.
            POLICY_ALPACA_LIVE_URL       | http://127.0.0.1.example | POLICY_ALPACA_LIVE_URL must be an https address, or an http address of this machine (127.0.0.1, ::1 or localhost), not 'http://127.0.0.1.example'.
            POLICY_ALPACA_LIVE_URL       | http://localhost.example | POLICY_ALPACA_LIVE_URL must be an https address, or an http address of this machine (127.0.0.1, ::1 or localhost), not 'http://localhost.example'.
            POLICY_ALPACA_LIVE_URL       | http://128.0.0.1 | POLICY_ALPACA_LIVE_URL must be an https address, or an http address of this machine (127.0.0.1, ::1 or localhost), not 'http://128.0.0.1'.
            POLICY_ALPACA_LIVE_URL       | https://broker.example?a | POLICY_ALPACA_LIVE_URL must be an http or https address, not 'https://broker.example?a'.
            POLICY_ALPACA_LIVE_URL       | https://broker.example#a | POLICY_ALPACA_LIVE_URL must be an http or https address, not 'https://broker.example#a'.
            POLICY_ALPACA_LIVE_URL       | ftp://127.0.0.1 | POLICY_ALPACA_LIVE_URL must be an http or https address, not 'ftp://127.0.0.1'.
            POLICY_ALPACA_LIVE_URL       | file:///etc/passwd | POLICY_ALPACA_LIVE_URL must be an http or https address, not 'file:///etc/passwd'.
            POLICY_ALPACA_LIVE_URL       | https:// | POLICY_ALPACA_LIVE_URL must be an http or https address, not 'https://'.
            POLICY_LOG_FORMAT            | xml            | POLICY_LOG_FORMAT must be text or json, not 'xml'.
            POLICY_LOG_CALLS             | some           | POLICY_LOG_CALLS must be none or refused or all, not 'some'.
            POLICY_LANES                 | 0              | POLICY_LANES must be a whole number from 1 to 64, not '0'.
            """)
    void a_value_that_makes_no_sense_is_refused_in_one_line(String name, String value, String message) {
        assertThatThrownBy(() -> Config.of(Map.of(name, value)))
                .isInstanceOf(CannotStart.class)
                .hasMessage(message);
    }

    @Test
    void an_empty_variable_counts_as_absent() {
        assertThat(Config.of(Map.of("POLICY_PORT", "", "POLICY_RATE_LIMIT_URL", " ", "POLICY_SIGNUP", "")))
                .isEqualTo(Config.of(Map.of()));
    }

    @Test
    void a_misspelt_variable_is_named() {
        assertThat(Config.of(Map.of("POLICY_PROT", "80", "POLICY_AGENT_KEY", "of mcp", "PATH", "/bin"))
                        .unknown())
                .containsExactly("POLICY_PROT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:9300",
                "http://127.0.0.1:9300",
                "http://127.8.8.8:9300",
                "http://[::1]:9300",
                "https://[::1]"
            })
    void a_broker_on_this_machine_may_be_reached_without_tls(String url) {
        assertThat(Config.of(Map.of("POLICY_ALPACA_LIVE_URL", url)).custodians().alpacaLive())
                .isEqualTo(URI.create(url));
    }

    @Test
    void no_password_is_printed() {
        String url = "jdbc:postgresql://db/policy?password=hunter22";
        Config config =
                Config.of(Map.of("POLICY_DB_URL", url, "POLICY_DB_PASSWORD", "hunter23", "POLICY_RATE_LIMIT_URL", url));

        assertThat(config.database().toString()).isEqualTo("jdbc:postgresql://db/policy");
        assertThat(config.toString()).doesNotContain("hunter");
    }

    @Test
    void the_state_directory_is_beside_the_master_key_unless_it_is_set() {
        String keyFile = "POLICY_MASTER_KEY_FILE";

        assertThat(Config.of(Map.of(keyFile, "/run/keys/master.json"))
                        .rollback()
                        .directory())
                .isEqualTo(Path.of("/run/keys"));
        assertThat(Config.of(Map.of(keyFile, "master.json")).rollback().directory())
                .isEqualTo(Path.of("."));
        Config.RollbackGuarding set = Config.of(Map.of(
                        keyFile,
                        "/run/keys/master.json",
                        "POLICY_STATE_DIR",
                        "/var/lib/policy",
                        "POLICY_ROLLBACK_OVERRIDE",
                        "3fa81c22"))
                .rollback();
        assertThat(set).isEqualTo(new Config.RollbackGuarding(Path.of("/var/lib/policy"), "3fa81c22"));
    }

    @Test
    void a_clock_is_accepted_by_what_it_is_apart_from() {
        Config.ClockTrust both = Config.of(Map.of(
                        "POLICY_CLOCK_TOLERANCE_SECONDS", "60",
                        "POLICY_CLOCK_OVERRIDE", "database, 2027-12-29T10:00:00.000001Z"))
                .clockTrust();

        assertThat(both)
                .isEqualTo(new Config.ClockTrust(
                        Duration.ofSeconds(60), true, Instant.parse("2027-12-29T10:00:00.000001Z")));
        for (String wrong : new String[] {"yes", "2027-12-29", "database,x"}) {
            assertThatThrownBy(() -> Config.of(Map.of("POLICY_CLOCK_OVERRIDE", wrong)))
                    .isInstanceOf(CannotStart.class)
                    .hasMessageContaining("POLICY_CLOCK_OVERRIDE must be database, or a time");
        }
    }
}
