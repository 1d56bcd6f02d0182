package dev.agentpolicy.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * The archive, the Debian package and the container image of the dist profile. The last two run in containers whose
 * base is a Debian root given with {@code -Ddist.base=FILE.tar}; without it, or where no container starts, their tests
 * are skipped.
 */
class ReleaseIT {
    private static final Path DIST = Path.of(System.getProperty("dist"));
    private static final String VERSION = System.getProperty("dist.version");
    private static final String BASE = System.getProperty("dist.base", "");
    private static final String BASE_IMAGE = "localhost/policy-base:test";
    private static final long MAX_MINUTES = 15;

    /** Containers are kept apart from those of the machine. */
    @TempDir(cleanup = CleanupMode.NEVER)
    private static Path containers;

    private static boolean containersRun;

    @BeforeAll
    static void importBase() throws Exception {
        containersRun = hasPrograms()
                && code(command("import", BASE, BASE_IMAGE)) == 0
                && code(command(runOptions("--rm", BASE_IMAGE, "true"))) == 0;
    }

    @AfterAll
    static void removeContainers() throws Exception {
        if (containersRun) {
            podman("rm", "--all", "--force");
            podman("rmi", "--all", "--force");
        }
        run("rm", "-rf", containers.toString());
    }

    @Test
    void the_archive_has_the_jar_the_unit_the_settings_and_the_licences() throws Exception {
        String home = "agent-policy-" + VERSION + "/";

        assertThat(run(
                                "tar",
                                "tzf",
                                DIST.resolve("agent-policy-" + VERSION + ".tar.gz")
                                        .toString())
                        .lines())
                .contains(
                        home + "policy-app.jar",
                        home + "bin/agent-policy",
                        home + "agent-policy.service",
                        home + "agent-policy.env",
                        home + "LICENSE",
                        home + "LICENSES-OF-LIBRARIES.md");
    }

    @Test
    void the_package_installs_starts_and_survives_an_upgrade_and_a_purge() throws Exception {
        requireContainers();
        Path script = Path.of("src/test/dist/package.sh").toAbsolutePath();

        String said = podmanRun(
                "--rm",
                "--volume",
                script + ":/package.sh:ro",
                "--volume",
                packageFile() + ":/agent-policy.deb:ro",
                BASE_IMAGE,
                "bash",
                "/package.sh",
                "/agent-policy.deb");

        assertThat(said).contains("Agent Policy " + VERSION).contains("The package holds.");
    }

    @Test
    void the_image_runs_without_root_on_a_read_only_file_system_and_keeps_its_data_in_the_volume() throws Exception {
        requireContainers();
        Path file = Path.of("../docs/deploy/Containerfile").toAbsolutePath();
        podman(
                "build",
                "--isolation=chroot",
                "--pull=never",
                "--format=docker",
                "--build-arg=BASE=" + BASE_IMAGE,
                "--file=" + file,
                "--tag=agent-policy:test",
                DIST.resolve("image").toString());

        for (int start = 1; start <= 2; start++) {
            String port = Integer.toString(freePort());
            String name = "policy-" + start;
            podmanRun(
                    "--detach",
                    "--name=" + name,
                    "--read-only",
                    "--tmpfs=/tmp:exec",
                    "--volume=policy:/data",
                    "--env=POLICY_PORT=" + port,
                    "agent-policy:test");
            awaitHealthy(name);

            assertThat(podman("exec", name, "sh", "-c", "id -u; touch /usr/x 2>&1; cat /proc/1/cmdline | tr '\\0' ' '"))
                    .contains("10001")
                    .contains("Read-only file system")
                    .contains("-XX:SharedArchiveFile=/usr/lib/agent-policy/classes.jsa");
            podman("stop", "--time=30", name);
            assertThat(podman("inspect", "--format={{.State.ExitCode}}", name)).isEqualTo("0");
        }
        assertThat(podmanRun(
                        "--rm",
                        "--volume=policy:/data",
                        "--entrypoint=/usr/lib/agent-policy/bin/agent-policy",
                        "agent-policy:test",
                        "keys",
                        "list"))
                .contains("active");
    }

    private static void awaitHealthy(String name) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MAX_MINUTES);
        while (code(command("exec", name, "/usr/lib/agent-policy/bin/agent-policy-health")) != 0) {
            assertThat(System.nanoTime()).as(podman("logs", name)).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private static Path packageFile() throws IOException {
        try (Stream<Path> files = Files.list(DIST)) {
            return files.filter(it -> it.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean hasPrograms() {
        return !BASE.isEmpty() && isInstalled("podman") && isInstalled("runc");
    }

    private static void requireContainers() {
        if (!containersRun) {
            String why = "-Ddist.base, podman or runc is missing, or no container starts here.";
            System.err.println("SKIPPED, no container is run: " + why);
            throw new TestAbortedException(why);
        }
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static String podmanRun(String... arguments) throws Exception {
        return podman(runOptions(arguments));
    }

    private static String[] runOptions(String... arguments) {
        List<String> all = new ArrayList<>(
                List.of("run", "--network=host", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }

    private static String podman(String... arguments) throws Exception {
        return run(command(arguments));
    }

    private static String[] command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "podman",
                "--root=" + containers.resolve("root"),
                "--runroot=" + containers.resolve("run"),
                "--runtime=runc",
                "--storage-driver=vfs",
                "--cgroup-manager=cgroupfs"));
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }

    /** The output of a program that must end with 0. */
    private static String run(String... command) throws Exception {
        Path output = Files.createTempFile("release", ".out");
        try {
            Process process = start(output, command);
            assertThat(process.waitFor(MAX_MINUTES, TimeUnit.MINUTES))
                    .as(String.join(" ", command))
                    .isTrue();
            String said = Files.readString(output, StandardCharsets.UTF_8).strip();
            assertThat(process.exitValue())
                    .as("%s%n%s", String.join(" ", command), said)
                    .isZero();
            return said;
        } finally {
            Files.delete(output);
        }
    }

    private static int code(String... command) throws Exception {
        Path output = Files.createTempFile("release", ".out");
        try {
            return start(output, command).waitFor();
        } finally {
            Files.delete(output);
        }
    }

    /** Output goes to a file, since a container that stays would keep a pipe open. */
    private static Process start(Path output, String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }
}
