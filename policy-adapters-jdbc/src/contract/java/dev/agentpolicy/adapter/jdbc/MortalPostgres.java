package dev.agentpolicy.adapter.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL server of one test that can be killed and started again on the same port with the same files. */
public final class MortalPostgres implements AutoCloseable {
    private static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private final Path data;
    private final List<String> command = new ArrayList<>();

    public MortalPostgres(Path folder) throws IOException {
        data = folder.resolve("mortal");
        server = started(data);
        ProcessHandle.Info postmaster = postmaster().info();
        if ("root".equals(System.getProperty("user.name"))) {
            // PostgreSQL refuses to run as root, but not in a user namespace.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(postmaster.command().orElseThrow());
        command.addAll(List.of(postmaster.arguments().orElseThrow()));
    }

    /** Servers start one at a time: two could otherwise choose the same free port. */
    private static synchronized EmbeddedPostgres started(Path data) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    public String url() {
        return server.getJdbcUrl(USER, USER);
    }

    /** Sends SIGKILL to the server and all its processes. */
    public void kill() throws IOException {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        Files.deleteIfExists(data.resolve("postmaster.pid"));
    }

    /** Stops the server like {@code pg_ctl stop -m immediate}: it must recover at the next start. */
    public void stopAtOnce() throws Exception {
        ProcessHandle postmaster = postmaster();
        new ProcessBuilder("kill", "-QUIT", String.valueOf(postmaster.pid()))
                .start()
                .waitFor();
        postmaster.onExit().join();
        Files.deleteIfExists(data.resolve("postmaster.pid"));
    }

    /** Starts the server. Returns at once, before the server accepts connections. */
    public void restart() throws IOException {
        new ProcessBuilder(command)
                .directory(data.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start();
    }

    /** Stops all processes of the server with SIGSTOP; it keeps its port and connections but does not answer. */
    public void freeze() throws Exception {
        signal("-STOP");
    }

    public void thaw() throws Exception {
        signal("-CONT");
    }

    private void signal(String signal) throws Exception {
        List<String> kill = new ArrayList<>(List.of("kill", signal));
        Stream.concat(Stream.of(postmaster()), postmaster().descendants())
                .forEach(process -> kill.add(String.valueOf(process.pid())));
        new ProcessBuilder(kill).start().waitFor();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private ProcessHandle postmaster() throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim());
        return ProcessHandle.of(pid).orElseThrow();
    }
}
