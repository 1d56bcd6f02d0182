package dev.agentpolicy.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * The archive, the Debian package and the container image of the dist profile. The last two run in containers whose
 * base is a Debian root given with {@code -Ddist.base=FILE.tar}; without it, or where no container starts, their tests
 * are skipped. With {@code -Ddist.stack=FILE.tar}, a Debian root that has postgresql, caddy and ca-certificates, and
 * with podman-compose, netavark, aardvark-dns and iptables installed, compose.yaml runs as well.
 */
class ReleaseIT {
    private static final Path DIST = Path.of(System.getProperty("dist"));
    private static final String VERSION = System.getProperty("dist.version");
    private static final String BASE = System.getProperty("dist.base", "");
    private static final String BASE_IMAGE = "localhost/policy-base:test";
    private static final String STACK = System.getProperty("dist.stack", "");
    private static final String STACK_IMAGE = "localhost/policy-stack:test";
    private static final Path DEPLOY =
            Path.of("../docs/deploy").toAbsolutePath().normalize();
    private static final Path STAND_INS = Path.of("src/test/dist/stack").toAbsolutePath();
    private static final long MAX_MINUTES = 15;

    /** Containers are kept apart from those of the machine. */
    @TempDir(cleanup = CleanupMode.NEVER)
    private static Path containers;

    private static boolean containersRun;

    @BeforeAll
    static void importBase() throws Exception {
        Files.createDirectory(containers.resolve("networks"));
        Files.writeString(settings(), """
                [containers]
                default_ulimits = ["nofile=16384:16384", "nproc=1024:1024"]
                [network]
                network_backend = "netavark"
                """);
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
        build("agent-policy:test", BASE_IMAGE, DEPLOY, DIST.resolve("image"));

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

    /**
     * compose.yaml as it is printed, but for the port of this machine. The database and the proxy are those of Debian, in
     * images that begin as the named ones do, since no registry is asked.
     */
    @Test
    void compose_yaml_starts_a_service_behind_a_proxy_that_alone_is_reached_and_whose_role_owns_its_database_only()
            throws Exception {
        requireContainers();
        requireStack();
        podman("import", STACK, STACK_IMAGE);
        String port = Integer.toString(freePort());
        Path folder = Files.createDirectory(containers.resolve("stack"));
        String yaml = Files.readString(DEPLOY.resolve("compose.yaml"));
        assertThat(yaml).containsOnlyOnce("ports:").containsOnlyOnce("\"443:443\"");
        Files.writeString(folder.resolve("compose.yaml"), yaml.replace("\"443:443\"", "\"" + port + ":443\""));
        Files.copy(DEPLOY.resolve("Caddyfile"), folder.resolve("Caddyfile"));
        Files.copy(DEPLOY.resolve("database.sql"), folder.resolve("database.sql"));
        String password = UUID.randomUUID().toString();
        Files.writeString(folder.resolve(".env"), "POLICY_DOMAIN=localhost\nPOLICY_DB_PASSWORD=" + password + "\n");
        build(image(yaml, "agent-policy"), STACK_IMAGE, DEPLOY, DIST.resolve("image"));
        Path database = STAND_INS.resolve("database");
        Path proxy = STAND_INS.resolve("proxy");
        build("docker.io/library/" + image(yaml, "postgres"), STACK_IMAGE, database, database);
        build("docker.io/library/" + image(yaml, "caddy"), STACK_IMAGE, proxy, proxy);
        try {
            compose(folder, "up", "--detach");
            awaitHealthy("stack_policy_1");
            HttpClient outside = trusting(rootOfProxy());
            String address = "https://localhost:" + port;
            awaitAnswer(outside, address);
            HttpResponse<String> signedUp = call(
                    outside,
                    address + "/api/app/v1/users",
                    "{\"email\":\"ann@example.com\",\"password\":\"correct horse battery\"}");
            assertThat(signedUp.statusCode()).as(signedUp.body()).isEqualTo(201);
            assertThat(signedUp.headers().firstValue("Strict-Transport-Security"))
                    .contains("max-age=31536000");
            for (String inside : List.of("/metrics", "/health", "/health/ready", "/health/live")) {
                assertThat(call(outside, address + inside, null).statusCode())
                        .as(inside)
                        .isEqualTo(403);
            }
            assertThat(call(outside, address + "/api/app/v1/me", null).statusCode())
                    .isEqualTo(401);
            assertThat(podman("ps", "--format={{.Names}} {{.Ports}}").lines().filter(line -> line.contains("->")))
                    .containsExactly("stack_proxy_1 0.0.0.0:" + port + "->443/tcp");

            assertThat(podman(
                            "exec",
                            "stack_proxy_1",
                            "bash",
                            "-c",
                            "exec 3<>/dev/tcp/policy/9090"
                                    + " && printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3"))
                    .contains("policy_");
            assertThat(code(command("exec", "stack_proxy_1", "bash", "-c", "exec 3<>/dev/tcp/db/5432")))
                    .as("the proxy reaches the database")
                    .isNotZero();
            assertThat(psql("policy", "SELECT count(*) FROM app_user")).isEqualTo("1");
            assertThat(psql(
                            "postgres",
                            "SELECT rolname FROM pg_roles WHERE rolcanlogin AND (rolsuper OR rolcreatedb"
                                    + " OR rolcreaterole OR rolreplication OR rolbypassrls)"))
                    .isEqualTo("postgres");
            assertThat(psql(
                            "postgres",
                            "SELECT datname FROM pg_database JOIN pg_roles r ON r.oid = datdba"
                                    + " WHERE rolname = 'policy'"))
                    .isEqualTo("policy");
            assertThat(code(signIn("policy", password))).isZero();
            assertThat(code(signIn("policy", "wrong"))).isNotZero();
            assertThat(code(signIn("postgres", password))).isNotZero();
        } finally {
            compose(folder, "down", "--volumes");
        }
    }

    private static void build(String tag, String base, Path containerfile, Path from) throws Exception {
        podman(
                "build",
                "--isolation=chroot",
                "--layers=false",
                "--pull=never",
                "--format=docker",
                "--build-arg=BASE=" + base,
                "--file=" + containerfile.resolve("Containerfile"),
                "--tag=" + tag,
                from.toString());
    }

    private static String image(String yaml, String name) {
        return yaml.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("image: " + name + ":"))
                .map(line -> line.substring("image: ".length()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * podman-compose calls a program for podman, which keeps containers and networks apart from those of the machine. A
     * container whose file says one of its limits loses the defaults for the others.
     */
    private static void compose(Path folder, String... arguments) throws Exception {
        Path program = folder.resolve("podman");
        if (!Files.exists(program)) {
            String run = "[ \"$1\" != run ] || case \"$*\" in"
                    + " *--ulimit*) shift; set -- run --ulimit=nproc=1024:1024 \"$@\" ;; esac";
            Files.writeString(program, "#!/bin/sh\n" + run + "\nexec " + String.join(" ", command()) + " \"$@\"\n");
            run("chmod", "+x", program.toString());
        }
        List<String> all = new ArrayList<>(List.of(
                "podman-compose",
                "--podman-path=" + program,
                "--project-name=stack",
                "--file=" + folder.resolve("compose.yaml")));
        all.addAll(List.of(arguments));
        run(all.toArray(String[]::new));
    }

    /** The certificate of the authority that Caddy makes for a name that no public one signs. */
    private static Certificate rootOfProxy() throws Exception {
        String[] reading = command("exec", "stack_proxy_1", "cat", "/data/caddy/pki/authorities/local/root.crt");
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MAX_MINUTES);
        while (code(reading) != 0) {
            assertThat(System.nanoTime()).as(podman("logs", "stack_proxy_1")).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(200);
        }
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(run(reading).getBytes(StandardCharsets.US_ASCII)));
    }

    private static HttpClient trusting(Certificate root) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("root", root);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(tls).build();
    }

    /** Waits for the proxy, which tries to install its root before it has a certificate to serve. */
    private static void awaitAnswer(HttpClient client, String url) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MAX_MINUTES);
        while (true) {
            try {
                call(client, url, null);
                return;
            } catch (IOException notYet) {
                assertThat(System.nanoTime()).as("%s", notYet).isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    /** @param body of a POST; null for a GET */
    private static HttpResponse<String> call(HttpClient client, String url, @Nullable String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofMinutes(MAX_MINUTES));
        if (body != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** What the database says to its superuser, who signs in without a password inside of its container only. */
    private static String psql(String database, String query) throws Exception {
        return podman("exec", "--user=postgres", "stack_db_1", "psql", "-XAt", "--dbname=" + database, "-c", query);
    }

    private static String[] signIn(String role, String password) {
        return command(
                "exec",
                "--env=PGPASSWORD=" + password,
                "stack_db_1",
                "psql",
                "-X",
                "--host=db",
                "--username=" + role,
                "--dbname=" + role,
                "-c",
                "SELECT 1");
    }

    private static void awaitHealthy(String name) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MAX_MINUTES);
        while (code(command("exec", name, "/usr/lib/agent-policy/bin/agent-policy-health")) != 0) {
            assertThat(System.nanoTime()).as(podman("logs", name)).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private static Path settings() {
        return containers.resolve("containers.conf");
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

    private static void requireStack() {
        if (STACK.isEmpty()
                || !isInstalled("podman-compose")
                || !isInstalled("iptables")
                || !Files.isExecutable(Path.of("/usr/lib/podman/netavark"))) {
            String why = "-Ddist.stack, podman-compose, netavark or iptables is missing.";
            System.err.println("SKIPPED, compose.yaml is not run: " + why);
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
                "--network-config-dir=" + containers.resolve("networks"),
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
        ProcessBuilder process =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        process.environment().put("CONTAINERS_CONF", settings().toString());
        return process.start();
    }
}
