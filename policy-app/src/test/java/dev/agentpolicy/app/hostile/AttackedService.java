package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.AlpacaStandIn;
import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ChainPages;
import dev.agentpolicy.app.Database;
import dev.agentpolicy.app.ServiceProcess;
import dev.agentpolicy.app.SessionRing;
import dev.agentpolicy.app.Shell;
import dev.agentpolicy.app.TestHousehold;
import dev.agentpolicy.domain.sample.FoldersInMemory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The service in its own process, and one user of it. */
final class AttackedService implements AutoCloseable {
    private static final long MAX_GROWTH = 24L * 1024 * 1024;
    /** The tests send X-Forwarded-For, which the service warns of. */
    private static final String LOG_LINE =
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z (?:INFO  [A-Za-z]+|WARN  (?:UntrustedForwarding|PostgresDialect)): [^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*";

    final String address;
    final TestHousehold household;
    final ApiCaller agent;
    final String key;
    private final SessionRing sessions;
    /** Knows no account, so that every key is refused and no call leaves this machine. */
    private final AlpacaStandIn broker = AlpacaStandIn.start();

    private final ServiceProcess process;
    private final Path folder;
    private final long heapBefore;

    private AttackedService(Path folder, String database) throws IOException, InterruptedException {
        this.folder = folder;
        this.process = ServiceProcess.start(
                folder,
                Map.of(
                        "POLICY_ALPACA_PAPER_URL",
                        broker.address(),
                        "POLICY_ALPACA_DATA_URL",
                        broker.address(),
                        "POLICY_PORT",
                        "0",
                        "POLICY_DB_URL",
                        database,
                        "POLICY_MAX_PENDING_PER_KEY",
                        "0",
                        "POLICY_IPS_VERSIONS_PER_DAY",
                        "0",
                        "POLICY_HOLDINGS_WRITES_PER_DAY",
                        "0",
                        "POLICY_MASTER_KEY_FILE",
                        folder.resolve("master-key.json").toString(),
                        "POLICY_RATE_LIMIT_PER_SECOND",
                        "100000",
                        "POLICY_SIGNUPS_PER_HOUR",
                        "0"));
        this.address = process.address();
        this.household = TestHousehold.withPolicy(new ApiCaller(address));
        this.key = household.mint("live").get("key").textValue();
        this.agent = new ApiCaller(address).withKey(key);
        this.sessions = SessionRing.of(household);
        warmUp();
        this.heapBefore = liveBytes();
    }

    /** The cookie of its user. */
    String cookie() {
        return sessions.cookie();
    }

    /** Starts a service with a database of its own; the caller closes it. */
    static AttackedService on(Database database) {
        try {
            Path folder = FoldersInMemory.create("hostile-");
            return new AttackedService(folder, database.fresh(folder));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** Makes the service allocate its caches before the heap is measured. */
    private void warmUp() {
        for (int i = 0; i < 50; i++) {
            agent.post(TestHousehold.API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                    .ok();
            household.user().get(TestHousehold.APP + "requests").ok();
        }
    }

    /** Fails unless the process runs, its log has no trouble, its chain verifies and its heap has not grown. */
    void requireUnharmed() throws IOException, InterruptedException {
        assertThat(process.isAlive()).isTrue();
        assertThat(process.err().lines()).allMatch(line -> line.matches(LOG_LINE));
        assertThat(ChainPages.of(agent).verdicts(folder)).allMatch(verdict -> verdict.startsWith("ok "));
        long grown = liveBytes() - heapBefore;
        System.out.printf("Unharmed: %d bytes of live heap, %+d since the beginning%n", heapBefore + grown, grown);
        assertThat(grown).isLessThan(MAX_GROWTH);
    }

    /** Size of all reachable objects in bytes. */
    private long liveBytes() throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        List<String> classes = Shell.line(
                        List.of(jcmd.toString()), List.of(Long.toString(process.pid()), "GC.class_histogram"))
                .lines()
                .toList();
        String[] total = classes.get(classes.size() - 1).trim().split("\\s+");
        return Long.parseLong(total[2]);
    }

    @Override
    public void close() throws IOException {
        process.close();
        broker.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    /** Gives all tests the same service on H2. It starts with the first test that needs it and stops after the last. */
    static final class Shared implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == AttackedService.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .computeIfAbsent(AttackedService.class, type -> on(Database.H2), AttackedService.class);
        }
    }
}
