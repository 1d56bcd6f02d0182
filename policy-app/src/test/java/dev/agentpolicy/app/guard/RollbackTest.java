package dev.agentpolicy.app.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.CapturedLog;
import dev.agentpolicy.app.CommandLineRun;
import dev.agentpolicy.app.Database;
import dev.agentpolicy.app.ServiceNode;
import dev.agentpolicy.app.ServiceProcess;
import dev.agentpolicy.app.TestHousehold;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.port.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that lacks rows it once had, without any anchor (docs/reliability.md, A database that was put back). */
class RollbackTest {
    private static final Pattern CODE = Pattern.compile("POLICY_ROLLBACK_OVERRIDE=([0-9a-f]{8})\\.$");
    private static final int AMENDMENTS = 60;
    private static final int CUTS = 100;

    @TempDir
    private Path folder;

    private String url;

    @ParameterizedTest
    @EnumSource
    void an_older_copy_of_the_database_is_refused_until_the_operator_says_otherwise(Database database)
            throws Exception {
        url = database.fresh(folder);
        UserId user;
        try (ServiceNode node = node()) {
            user = user(node);
            amend(node, user, 3);
        }
        Runnable backup = database.backUp(folder, url);
        try (ServiceNode node = node()) {
            amend(node, user, 20);
        }
        backup.run();

        String refusal = refusal(Map.of());
        assertThat(refusal)
                .startsWith("The database lacks rows that were committed to it, by the records in " + state() + ": 1"
                        + " chain lacks 20 rows. The last row on record is of 20")
                .contains("Restore a newer one");
        String code = code(refusal);
        assertThat(refusal(Map.of("POLICY_ROLLBACK_OVERRIDE", "00000000"))).isEqualTo(refusal);
        assertThat(refusal(Map.of("POLICY_ANCHOR_OVERRIDE", "1"))).isEqualTo(refusal);

        try (CapturedLog log = new CapturedLog();
                ServiceNode node = node(Map.of("POLICY_ROLLBACK_OVERRIDE", code))) {
            assertThat(log.messages()).anyMatch(it -> it.contains("used all the same") && it.contains("20 rows"));
            amend(node, user, 1);
        }
        assertThat(files(".aside")).hasSize(1);
        assertThat(heads(files(".aside").get(0))).anyMatch(head -> head.seq() >= 23);
        try (ServiceNode node = node(Map.of("POLICY_ROLLBACK_OVERRIDE", code))) {
            amend(node, user, 1);
        }
        node().close();
    }

    @ParameterizedTest
    @EnumSource
    void an_older_copy_of_the_database_is_not_written_to_by_erase_or_rotate(Database database) throws Exception {
        url = database.fresh(folder);
        UserId user;
        try (ServiceNode node = node()) {
            user = user(node);
            amend(node, user, 3);
        }
        Runnable backup = database.backUp(folder, url);
        try (ServiceNode node = node()) {
            amend(node, user, 20);
        }
        backup.run();
        CommandLineRun run = new CommandLineRun(ServiceNode.environment(folder, url, Map.of()));
        run.main("keys", "list");
        String keys = run.out();

        for (List<String> command : List.of(
                List.of("erase", "--user", user.toString(), "--seq", "1", "--reason", "why"),
                List.of("keys", "rotate"),
                List.of("keys", "rotate", "--now"))) {
            String[] options = command.subList(1, command.size()).toArray(String[]::new);
            assertThat(run.main(command.get(0), options)).isEqualTo(1);
            assertThat(run.err()).startsWith("The database lacks rows that were committed to it");
        }

        run.main("keys", "list");
        assertThat(run.out()).isEqualTo(keys);
    }

    /**
     * Cuts as much as it takes for H2 to find an older state; what H2 makes of the blocks before that is its own affair. H2
     * writes over what it has no use for after 45 s, so a slow machine may need another file.
     */
    @Test
    void an_h2_file_whose_end_was_cut_off_is_refused() throws Exception {
        int tries = 0;
        do {
            assertThat(++tries).describedAs("files without an older state").isLessThanOrEqualTo(5);
            folder = Files.createDirectory(folder.resolve("try" + tries));
            url = Database.H2.fresh(folder);
            try (ServiceNode node = node()) {
                amend(node, user(node), AMENDMENTS);
            }
        } while (!isCutToAnOlderState(folder.resolve("policy.mv.db")));

        assertThat(refusal(Map.of()))
                .startsWith("The database lacks rows that were committed to it")
                .contains("1 chain lacks ");
    }

    private boolean isCutToAnOlderState(Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        int step = whole.length / CUTS + 1;
        for (int length = whole.length - step; length > 0; length -= step) {
            Files.write(file, Arrays.copyOf(whole, length));
            boolean isOlder = events() <= AMENDMENTS;
            Files.write(file, Arrays.copyOf(whole, length));
            if (isOlder) {
                return true;
            }
        }
        return false;
    }

    /** How many events there are; {@link Long#MAX_VALUE} if H2 cannot say. */
    private long events() {
        try (Connection connection = DriverManager.getConnection(Dialect.of(url).url(url))) {
            return TestStores.number(connection, "SELECT count(*) FROM policy_event");
        } catch (SQLException damaged) {
            return Long.MAX_VALUE;
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_empty_database_in_the_place_of_one_that_was_served_is_refused_before_anything_is_added(Database database)
            throws Exception {
        url = database.fresh(folder);
        Path state = folder.resolve("kept");
        try (ServiceNode node = node(Map.of("POLICY_STATE_DIR", state.toString()))) {
            amend(node, user(node), 3);
        }
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        String kept = url;
        url = database.fresh(elsewhere);
        Map<String, String> settings = Map.of("POLICY_STATE_DIR", state.toString());

        String refusal = refusal(settings);

        assertThat(refusal)
                .startsWith("The database is new, or older than the records of another in " + state + ": 1 chain lacks")
                .contains("POLICY_STATE_DIR");
        assertThat(refusal(settings)).describedAs("nothing was added to it").isEqualTo(refusal);
        ServiceNode.start(
                        folder,
                        url,
                        Map.of("POLICY_STATE_DIR", state.toString(), "POLICY_ROLLBACK_OVERRIDE", code(refusal)))
                .close();
        ServiceNode.start(folder, url, settings).close();
        url = kept;
        ServiceNode.start(folder, url, settings).close();
    }

    @Test
    void a_file_of_another_installation_is_not_compared() throws Exception {
        Path state = folder.resolve("shared");
        Map<String, String> settings = Map.of("POLICY_STATE_DIR", state.toString());
        url = Database.POSTGRES.fresh(folder);
        try (ServiceNode node = node()) {
            amend(node, user(node), 1);
        }
        String other = Database.POSTGRES.fresh(folder);
        try (ServiceNode node = ServiceNode.start(folder, other, settings)) {
            amend(node, user(node), 5);
        }

        try (ServiceNode node = node(settings)) {
            amend(node, user(node), 1);
        }

        assertThat(files(state, ".log").stream().map(it -> it.getFileName().toString()))
                .hasSize(2)
                .allMatch(name -> name.matches("heads-[0-9a-f-]{36}-1\\.log"));
    }

    @Test
    void two_nodes_record_each_its_own_heads_and_either_finds_out() throws Exception {
        url = Database.POSTGRES.fresh(folder);
        Map<String, String> mine =
                Map.of("POLICY_STATE_DIR", folder.resolve("mine").toString());
        Map<String, String> theirs =
                Map.of("POLICY_STATE_DIR", folder.resolve("theirs").toString());
        UserId here;
        UserId there;
        try (ServiceNode one = node(mine);
                ServiceNode other = node(theirs)) {
            here = user(one);
            there = user(other);
        }
        Runnable backup = Database.POSTGRES.backUp(folder, url);
        try (ServiceNode one = node(mine);
                ServiceNode other = node(theirs)) {
            amend(one, here, 4);
            amend(other, there, 6);
        }
        node(mine).close();
        backup.run();

        assertThat(refusal(mine)).contains("1 chain lacks 4 rows.");
        assertThat(refusal(theirs)).contains("1 chain lacks 6 rows.");
    }

    @Test
    void two_nodes_that_share_a_directory_have_a_file_each_and_both_are_compared() throws Exception {
        url = Database.POSTGRES.fresh(folder);
        UserId here;
        UserId there;
        try (ServiceNode one = node();
                ServiceNode other = node()) {
            here = user(one);
            there = user(other);
        }
        Runnable backup = Database.POSTGRES.backUp(folder, url);
        try (ServiceNode one = node();
                ServiceNode other = node()) {
            amend(one, here, 4);
            amend(other, there, 6);
            assertThat(files(".log")).hasSize(2);
        }
        backup.run();

        assertThat(refusal(Map.of())).contains("2 chains lack 10 rows.");
    }

    @Test
    void a_node_that_restarts_while_the_other_goes_on_is_not_refused() throws Exception {
        url = Database.POSTGRES.fresh(folder);
        Map<String, String> mine =
                Map.of("POLICY_STATE_DIR", folder.resolve("mine").toString());
        try (ServiceNode other = node()) {
            UserId user;
            try (ServiceNode one = node(mine)) {
                user = user(one);
                amend(one, user, 3);
            }
            amend(other, user, 5);

            try (ServiceNode one = node(mine)) {
                amend(one, user, 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_killed_node_has_recorded_what_it_committed_a_second_before(Database database) throws Exception {
        url = database.fresh(folder);
        Path state = folder.resolve("state");
        try (ServiceProcess process = ServiceProcess.start(
                folder, ServiceNode.environment(folder, url, Map.of("POLICY_STATE_DIR", state.toString())))) {
            TestHousehold household = TestHousehold.withPolicy(new ApiCaller(process.address()));
            ApiCaller agent = household.agent();
            for (int i = 0; i < 5; i++) {
                agent.post(TestHousehold.API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                        .ok();
            }
            long seq = Long.parseLong(
                    agent.post(TestHousehold.API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                            .ok()
                            .header("X-Policy-Event-Seq"));
            long answered = System.nanoTime();
            while (newest(state) < seq) {
                assertThat(System.nanoTime() - answered).isLessThan(5_000_000_000L);
                Thread.sleep(20);
            }
            process.kill();
        }
        String directory = PosixFilePermissions.toString(Files.getPosixFilePermissions(state));
        assertThat(directory).isEqualTo("rwx------");
        for (Path file : files(state, "")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .describedAs(file.toString())
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void a_torn_last_record_does_not_keep_a_node_from_starting_nor_from_finding_out() throws Exception {
        url = Database.H2.fresh(folder);
        UserId user;
        try (ServiceNode node = node()) {
            user = user(node);
        }
        Runnable backup = Database.H2.backUp(folder, url);
        try (ServiceNode node = node()) {
            amend(node, user, 5);
        }
        Path file = files(".log").get(0);
        Files.writeString(file, user.value() + " 999999 00", StandardOpenOption.APPEND);
        try (ServiceNode node = node()) {
            amend(node, user, 1);
        }
        Files.writeString(file, user.value() + " 999999 00", StandardOpenOption.APPEND);
        backup.run();

        assertThat(refusal(Map.of())).contains("1 chain lacks 6 rows.");
    }

    @Test
    void accounts_whose_payloads_and_rows_elsewhere_were_erased_are_no_loss() throws Exception {
        url = Database.POSTGRES.fresh(folder);
        try (ServiceNode node = node()) {
            amend(node, user(node), 3);
            TestHousehold.withPolicy(node.caller());
        }
        TestPostgres.execute(url, "UPDATE policy_event SET payload_canonical = NULL");
        TestPostgres.execute(url, "DELETE FROM app_session; DELETE FROM app_user");

        node().close();
    }

    @Test
    void a_directory_that_cannot_be_written_is_warned_of_once_and_stops_nothing() throws Exception {
        url = Database.H2.fresh(folder);
        Path inTheWay = Files.writeString(folder.resolve("in-the-way"), "a file where a directory should be");
        Map<String, String> settings = Map.of("POLICY_STATE_DIR", inTheWay.toString());

        try (CapturedLog log = new CapturedLog();
                ServiceNode node = node(settings)) {
            amend(node, user(node), 3);
            assertThat(log.messages())
                    .filteredOn(it -> it.contains("POLICY_STATE_DIR"))
                    .hasSize(1);
        }
        node(settings).close();
    }

    /** The message for the operator. */
    private String refusal(Map<String, String> settings) {
        List<String> messages = new ArrayList<>();
        assertThatExceptionOfType(CannotStart.class)
                .isThrownBy(() -> node(settings).close())
                .satisfies(refused -> messages.add(refused.getMessage()));
        return messages.get(0);
    }

    private static String code(String refusal) {
        Matcher code = CODE.matcher(refusal);
        assertThat(code.find()).describedAs(refusal).isTrue();
        return code.group(1);
    }

    private ServiceNode node() {
        return node(Map.of());
    }

    private ServiceNode node(Map<String, String> settings) {
        return ServiceNode.start(folder, url, settings);
    }

    private static UserId user(ServiceNode node) {
        UserId user = StoreSamples.user();
        amend(node, user, 1);
        return user;
    }

    private static void amend(ServiceNode node, UserId user, int times) {
        for (int i = 0; i < times; i++) {
            String floor = "0.0" + (System.nanoTime() / 1_000 % 90_000 + 1);
            node.running()
                    .useCases()
                    .amendIps()
                    .put(user, StoreSamples.ips(floor))
                    .toCompletableFuture()
                    .join();
        }
    }

    private Path state() {
        return ServiceNode.stateDirectory(folder, url);
    }

    private List<Path> files(String ending) throws IOException {
        return files(state(), ending);
    }

    private static List<Path> files(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private static List<ChainHead> heads(Path file) throws IOException {
        List<ChainHead> heads = new ArrayList<>();
        assertThat(HeadFiles.each(file, heads::add)).isZero();
        return heads;
    }

    private static long newest(Path state) throws IOException {
        long newest = 0;
        for (Path file : files(state, ".log")) {
            for (ChainHead head : heads(file)) {
                newest = Math.max(newest, head.seq());
            }
        }
        return newest;
    }
}
