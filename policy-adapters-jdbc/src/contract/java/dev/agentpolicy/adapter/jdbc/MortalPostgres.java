package dev.agentpolicy.adapter.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL of a test's own that dies without a word and comes back on the same port with the same files. */
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
            // PostgreSQL refuses to run as root; in a user namespace it does not see that it is.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(postmaster.command().orElseThrow());
        command.addAll(List.of(postmaster.arguments().orElseThrow()));
    }

    /** One after the other: its port is free when it is chosen, and another server that starts then may choose it too. */
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

    /** SIGKILL for the server and everything it started. */
    public void kill() throws IOException {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        Files.deleteIfExists(data.resolve("postmaster.pid"));
    }

    /** What {@code pg_ctl stop -m immediate} does: the server drops everything, and has to recover when it comes back. */
    public void stopAtOnce() throws Exception {
        ProcessHandle postmaster = postmaster();
        new ProcessBuilder("kill", "-QUIT", String.valueOf(postmaster.pid()))
                .start()
                .waitFor();
        postmaster.onExit().join();
        Files.deleteIfExists(data.resolve("postmaster.pid"));
    }

    /** Returns at once; the server answers a little later. */
    public void restart() throws IOException {
        new ProcessBuilder(command)
                .directory(data.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start();
    }

    /** The server keeps its port and its connections and does nothing any more. */
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
