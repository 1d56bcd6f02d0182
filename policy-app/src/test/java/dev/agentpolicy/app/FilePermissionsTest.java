package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other users of the machine cannot read the files of a service that runs with the usual umask. */
class FilePermissionsTest {
    private static final String OURS = "rw-------";
    private static final String OUR_DIRECTORY = "rwx------";
    private static final String OPEN = "rw-r--r--";
    private static final String OPEN_DIRECTORY = "rwxr-xr-x";
    private static final long MAX_MILLIS = 30_000;

    @TempDir
    Path folder;

    @BeforeEach
    void openFolder() throws IOException {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
        set(folder, OPEN_DIRECTORY);
        Path plain = Files.createFile(folder.resolve("plain"));
        assumeTrue(OPEN.equals(mode(plain)), "The umask keeps others out already.");
    }

    @Test
    void nobody_else_can_read_what_a_service_makes() throws Exception {
        try (ServiceProcess process = start(Map.of())) {
            use(process);

            assertThat(modes("data")).hasSizeGreaterThanOrEqualTo(3);
            assertThat(modes("anchors")).hasSizeGreaterThanOrEqualTo(4);
            assertNoneIsLoose();
        }
        assertNoneIsLoose();
    }

    @Test
    void a_database_that_an_older_version_left_open_is_closed() throws Exception {
        try (ServiceProcess process = start(Map.of())) {
            use(process);
        }
        Files.createFile(folder.resolve("data/policy.trace.db"));
        set(folder.resolve("data"), OPEN_DIRECTORY);
        set(folder.resolve("data/policy.mv.db"), OPEN);
        set(folder.resolve("anchors/salt"), OPEN);

        try (ServiceProcess process = start(Map.of())) {
            process.address();

            assertNoneIsLoose();
            assertThat(process.err()).contains("data was open to other users").doesNotContain("chmod");
        }
    }

    @Test
    void a_directory_with_files_of_others_is_left_as_it_is_and_named() throws Exception {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.createFile(shared.resolve("of-somebody-else"));
        String url = "jdbc:h2:file:" + shared.resolve("policy");
        for (int start = 0; start < 2; start++) {
            try (ServiceProcess process = start(Map.of("POLICY_DB_URL", url))) {
                use(process);

                assertThat(process.err()).containsOnlyOnce("The directory " + shared + " is open to other users");
                assertThat(mode(shared)).isEqualTo(OPEN_DIRECTORY);
                assertThat(mode(shared.resolve("policy.mv.db"))).isEqualTo(OURS);
            }
        }
    }

    private ServiceProcess start(Map<String, String> more) throws IOException {
        Map<String, String> environment = new TreeMap<>(Map.of("POLICY_PORT", "0", "POLICY_ANCHOR_DIR", "anchors"));
        environment.putAll(more);
        return ServiceProcess.startMain(folder, environment);
    }

    /** Until something is in every file. */
    private void use(ServiceProcess process) throws Exception {
        TestHousehold home = TestHousehold.withPolicy(new ApiCaller(process.address()));
        home.agent()
                .post(API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "100"))
                .ok();
        long begun = System.currentTimeMillis();
        while (modes("anchors").keySet().stream().noneMatch(name -> name.endsWith(".note"))) {
            assertThat(System.currentTimeMillis() - begun).isLessThan(MAX_MILLIS);
            Thread.sleep(50);
        }
    }

    private void assertNoneIsLoose() throws IOException {
        for (String directory : List.of("data", "anchors")) {
            assertThat(modes(directory))
                    .allSatisfy((name, mode) -> assertThat(mode)
                            .as(name)
                            .isEqualTo(Files.isDirectory(folder.resolve(name)) ? OUR_DIRECTORY : OURS));
        }
    }

    /** Of a directory and everything in it. */
    private Map<String, String> modes(String directory) throws IOException {
        Map<String, String> modes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder.resolve(directory))) {
            for (Path file : files.toList()) {
                if (Files.exists(file)) {
                    modes.put(folder.relativize(file).toString(), mode(file));
                }
            }
        }
        return modes;
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void set(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }
}
