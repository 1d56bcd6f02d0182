package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that copies an H2 database, as it is typed beside a service that runs (docs/operations.md, Backup). */
class BackupCommandTest {
    private static final int CALLERS = 6;
    private static final int BEFORE = 60;

    @TempDir
    private Path folder;

    private String url;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Queue<Seen> acknowledged = new ConcurrentLinkedQueue<>();

    @Test
    void a_backup_taken_under_load_has_all_that_was_acknowledged_before_and_its_chain_verifies() throws Exception {
        url = Database.H2.fresh(folder);
        Path file = folder.resolve("backup.mv.db");
        List<Seen> before;
        ApiCaller agent;
        try (ServiceProcess process = ServiceProcess.start(folder, environment())) {
            agent = TestHousehold.withPolicy(new ApiCaller(process.address())).agent();
            AtomicBoolean isOver = new AtomicBoolean();
            List<Thread> callers = callers(agent, isOver);
            await(BEFORE);
            before = new ArrayList<>(acknowledged);

            CommandLineRun run = new CommandLineRun(environment());
            int code = run.main("backup", file.toString());
            await(acknowledged.size() + 1);
            isOver.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(code).describedAs(run.err()).isZero();
            assertThat(run.out()).matches("Copied 1 account with \\d+ events to .*\\R");
        }
        assertThat(acknowledged).hasSizeGreaterThan(before.size());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertNothingElseIsLeft(file);

        String restored = "jdbc:h2:file:" + folder.resolve("backup");
        Map<String, Long> counts = TableReader.counts(restored);
        assertThat(counts.get("SERVICE_REQUEST"))
                .describedAs("one change wrote both")
                .isEqualTo(counts.get("IDEMPOTENCY"));
        try (ServiceNode node = ServiceNode.start(folder, restored)) {
            ApiCaller there = agent.at(node.running().address());
            Map<Long, String> hashes = ChainPages.of(there).hashes();
            for (Seen receipt : before) {
                assertThat(hashes.get(Long.parseLong(receipt.header("X-Policy-Event-Seq"))))
                        .isEqualTo(receipt.header("X-Policy-Event-Hash"));
            }
            assertThat(ChainPages.of(there).verdicts(folder)).allMatch(verdict -> verdict.startsWith("ok"));
            propose(there).ok();
        }
    }

    @Test
    void a_stopped_service_is_copied_as_it_is() throws Exception {
        url = Database.H2.fresh(folder);
        ApiCaller agent;
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            agent = TestHousehold.withPolicy(node.caller()).agent();
            propose(agent).ok();
        }
        Path file = folder.resolve("copy.mv.db");

        CommandLineRun run = new CommandLineRun(environment());
        assertThat(run.main("backup", file.toString())).describedAs(run.err()).isZero();

        assertThat(TableReader.counts("jdbc:h2:file:" + folder.resolve("copy"))).isEqualTo(TableReader.counts(url));
        assertNothingElseIsLeft(file);
    }

    @Test
    void a_file_that_is_there_is_left_alone() throws Exception {
        url = Database.H2.fresh(folder);
        Path file = Files.writeString(folder.resolve("precious"), "mine");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            assertThat(node.running().address()).isNotEmpty();
            for (Path taken : List.of(file, link)) {
                CommandLineRun run = new CommandLineRun(environment());
                assertThat(run.main("backup", taken.toString())).isEqualTo(1);
                assertThat(run.err()).contains("The file " + taken + " exists already");
            }
        }
        assertThat(file).hasContent("mine");
        assertThat(folder.resolve("nowhere")).doesNotExist();
    }

    @Test
    void a_database_that_cannot_be_copied_is_reported() {
        url = Database.H2.fresh(folder);
        assertRefused(folder.resolve("x"), "There is no database ", "POLICY_DB_URL");
        ServiceNode.start(folder, url).close();
        assertRefused(folder.resolve("no/such/directory"), "The directory of ");

        url = Database.POSTGRES.fresh(folder);
        assertRefused(folder.resolve("x"), "On PostgreSQL use pg_dump");
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void a_disk_that_fills_up_is_told_and_nothing_is_left() throws Exception {
        url = Database.H2.fresh(folder);
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            ApiCaller agent = TestHousehold.withPolicy(node.caller()).agent();
            IntStream.range(0, 50).forEach(i -> propose(agent).ok());
        }
        Path file = folder.resolve("backup.mv.db");

        Process process = limited(40, "backup", file.toString());
        String err = new String(process.getErrorStream().readAllBytes());
        assertThat(process.waitFor()).describedAs(err).isEqualTo(1);

        assertThat(err).startsWith("The backup was not written: ").contains("File too large");
        assertThat(file).doesNotExist();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).noneMatch(it -> it.getFileName().toString().startsWith(".policy-backup-"));
        }
    }

    /** A command in a process that may write no file larger than so many kilobytes. */
    private Process limited(int kilobytes, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                "ulimit -f " + kilobytes + "; exec \"$@\"",
                "limited",
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xshare:off",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("POLICY_") || name.startsWith("JAVA_TOOL"));
        builder.environment().putAll(environment());
        return builder.start();
    }

    private void assertRefused(Path file, String... told) {
        CommandLineRun run = new CommandLineRun(environment());
        assertThat(run.main("backup", file.toString())).isEqualTo(1);
        assertThat(run.err()).contains(told);
    }

    private void assertNothingElseIsLeft(Path file) throws IOException {
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(it -> it.getFileName().toString()))
                    .contains(file.getFileName().toString())
                    .noneMatch(name -> name.startsWith(".policy-backup-"));
        }
    }

    private List<Thread> callers(ApiCaller agent, AtomicBoolean isOver) {
        List<Thread> callers = IntStream.range(0, CALLERS)
                .mapToObj(i -> new Thread(() -> {
                    while (!isOver.get()) {
                        Seen answer = i % 2 == 0 ? propose(agent) : validate(agent);
                        if (answer.status() == 200) {
                            acknowledged.add(answer);
                        }
                    }
                }))
                .toList();
        callers.forEach(Thread::start);
        return callers;
    }

    private Seen propose(ApiCaller agent) {
        int number = numbers.incrementAndGet();
        return agent.with("Idempotency-Key", "proposal-" + number)
                .post(API + "trades/propose", trade("buy", "SPY", "tradfi", "1." + number));
    }

    private static Seen validate(ApiCaller agent) {
        return agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "100"));
    }

    private void await(int count) throws InterruptedException {
        for (int i = 0; i < 1_200 && acknowledged.size() < count; i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(acknowledged.size()).isGreaterThanOrEqualTo(count);
    }

    private Map<String, String> environment() {
        return ServiceNode.environment(folder, url, Map.of());
    }
}
