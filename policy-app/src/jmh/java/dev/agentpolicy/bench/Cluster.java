package dev.agentpolicy.bench;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.domain.document.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Starts what is measured: the service on a fresh database, and the bare server. */
final class Cluster {
    /** What docs/configuration.md recommends for a small machine, and what every figure is measured with. */
    private static final List<String> FLAGS = List.of("-Xmx144m", "-XX:+UseSerialGC");

    private final Path folder;
    private final Path jar;
    private int services;

    /**
     * A place to work in.
     *
     * @param folder for databases, keys and logs
     * @param jar the runnable jar of the service
     */
    Cluster(Path folder, Path jar) {
        this.folder = folder;
        this.jar = jar;
    }

    /** The databases the service runs on. */
    enum Database {
        POSTGRESQL,
        H2
    }

    Path folder() {
        return folder;
    }

    static List<String> flags() {
        return FLAGS;
    }

    /** The address of an empty database. */
    String fresh(Database database) {
        return database == Database.POSTGRESQL
                ? TestPostgres.freshDatabase()
                : "jdbc:h2:file:" + directory("h2").resolve("policy");
    }

    /** The service, with budgets so wide that no call is refused, and with a state directory for each database. */
    Program service(String url) {
        return service(java(), FLAGS, url);
    }

    Program service(String java, List<String> flags, String url) {
        Path own = directory("service");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(flags);
        command.addAll(List.of("-jar", jar.toString()));
        return Program.start(
                own,
                command,
                Map.of(
                        "POLICY_PORT",
                        "0",
                        "POLICY_DB_URL",
                        url,
                        "POLICY_MASTER_KEY_FILE",
                        folder.resolve("master-key.json").toString(),
                        "POLICY_RATE_LIMIT_PER_SECOND",
                        "1000000",
                        "POLICY_SIGNUPS_PER_HOUR",
                        "0",
                        "POLICY_DECISIONS_PER_DAY",
                        "0",
                        "POLICY_STATE_DIR",
                        folder.resolve("state-" + Sha256.hex(url)).toString()));
    }

    Program bare() {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BareServer.class.getName()));
        return Program.start(directory("bare"), command, Map.of());
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Soaks leave many gigabytes; logs stay. */
    void deleteFilesOfDatabases() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(it -> it.toString().endsWith(".mv.db")).toList()) {
                Files.delete(file);
            }
        }
    }

    private Path directory(String name) {
        try {
            return Files.createDirectories(folder.resolve(name + ++services));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
