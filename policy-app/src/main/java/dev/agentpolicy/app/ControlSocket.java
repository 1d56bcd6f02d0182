package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup.BackupFailed;
import dev.agentpolicy.adapter.signing.UnusableKeys;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.guard.WorkerPool;
import dev.agentpolicy.domain.account.Unavailable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Unix socket beside an H2 file, over which commands reach the service that has the file open (docs/operations.md,
 * Commands beside a running service). It serves only the user of the service and root.
 *
 * <p>A request is UTF-8 text: the name of the command and its arguments, one a line. It ends when the
 * sender shuts down its side of the
 * connection. The answer is a line, {@value #DONE} or {@value #REFUSED}, and a text.
 */
final class ControlSocket implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlSocket.class);

    private static final String DONE = "done";
    private static final String REFUSED = "refused";
    private static final String ROOT = "root";
    private static final int MAX_BYTES = 64 * 1024;
    private static final String SUFFIX = ".control";

    private final ServerSocketChannel server;
    private final Path file;
    private final Map<String, ControlCommand> commands;

    private ControlSocket(ServerSocketChannel server, Path file, Map<String, ControlCommand> commands) {
        this.server = server;
        this.file = file;
        this.commands = commands;
    }

    /** What the service does when a command of this name arrives. */
    @FunctionalInterface
    interface ControlCommand {
        /**
         * Executes the command.
         *
         * @param arguments as they were sent
         * @return a text for its sender to print
         * @throws CannotStart when it is refused; the message is for the user who sent it
         */
        String execute(List<String> arguments);
    }

    /**
     * Listens beside a database file that this process has open, so a socket that is there already is a leftover.
     *
     * @param database the file without its ending
     * @return a socket that may be closed; listens nowhere when there can be none, which is logged
     */
    static AutoCloseable listen(Path database, Map<String, ControlCommand> commands) {
        Path file = fileOf(database);
        try {
            removeLeftover(file);
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                server.bind(addressOf(file));
                if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
                    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
                }
            } catch (IOException | RuntimeException failed) {
                server.close();
                throw failed;
            }
            ControlSocket socket = new ControlSocket(server, file, commands);
            WorkerPool.daemon("control", socket::accept).start();
            return socket;
        } catch (IOException | UnsupportedOperationException failed) {
            LOG.warn(
                    "No control socket at {} ({}), so backup and erase need the service stopped",
                    file,
                    failed.getMessage());
            return () -> {};
        }
    }

    /** Where the service that has a database open listens. */
    static Path fileOf(Path database) {
        return database.resolveSibling(database.getFileName() + SUFFIX);
    }

    /**
     * Sends a command to the service.
     *
     * @param database the file without its ending
     * @return the answer; empty if no service has the database open
     * @throws CannotStart when it refuses, or ends meanwhile
     */
    static Optional<String> ask(Path database, String command, String... arguments) {
        Path file = fileOf(database);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (SocketChannel service = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            try {
                service.connect(addressOf(file));
            } catch (IOException nobodyListens) {
                return Optional.empty();
            }
            if (!isOfOwner(service, H2Backup.fileOf(database))) {
                throw new CannotStart("A process that does not own the database listens at " + file
                        + "; find out whose it is, and start the service again.");
            }
            write(service, command + "\n" + String.join("\n", arguments));
            service.shutdownOutput();
            return Optional.of(answer(read(service), file));
        } catch (IOException lost) {
            throw new CannotStart(
                    "The service ended before it answered at " + file + "; look at its log and try again.", lost);
        }
    }

    private static String answer(String text, Path file) {
        int end = text.indexOf('\n');
        String how = end < 0 ? text : text.substring(0, end);
        String what = end < 0 ? "" : text.substring(end + 1);
        if (how.equals(DONE)) {
            return what;
        }
        throw new CannotStart(
                how.equals(REFUSED)
                        ? what
                        : "The service ended before it answered at " + file + "; look at its log and try again.");
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel client = server.accept();
                WorkerPool.daemon("control-command", () -> serve(client)).start();
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException failed) {
                LOG.warn("The control socket fails, so backup and erase need the service stopped", failed);
                return;
            }
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            if (!isOfOwner(client, file)) {
                LOG.warn("Another user called the control socket and was not answered");
                return;
            }
            List<String> lines = List.of(read(client).split("\n", -1));
            ControlCommand command = commands.get(lines.get(0));
            write(
                    client,
                    command == null ? refused("The service does not know this command.") : execute(command, lines));
        } catch (IOException gone) {
            LOG.debug("A command did not wait for its answer", gone);
        }
    }

    private static String execute(ControlCommand command, List<String> lines) {
        try {
            String text = DONE + "\n" + command.execute(lines.subList(1, lines.size()));
            LOG.info("Executed the command {}", lines.get(0));
            return text;
        } catch (CannotStart | BackupFailed | UnusableKeys | Unavailable refused) {
            return refused(String.valueOf(refused.getMessage()));
        } catch (RuntimeException failed) {
            LOG.error("The command {} failed", lines.get(0), failed);
            return refused("The service could not do this; its log says why.");
        }
    }

    private static String refused(String why) {
        return REFUSED + "\n" + why;
    }

    /** Whether the process at the other end belongs to the owner of a file, or to root. */
    private static boolean isOfOwner(SocketChannel channel, Path file) throws IOException {
        if (!channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)) {
            return true;
        }
        UserPrincipal peer =
                channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        return peer.equals(Files.getOwner(file, LinkOption.NOFOLLOW_LINKS))
                || peer.getName().equals(ROOT);
    }

    /** The shorter of the two ways to name the file: the system takes about a hundred bytes. */
    private static UnixDomainSocketAddress addressOf(Path file) {
        Path here = Path.of("").toAbsolutePath();
        Path whole = file.toAbsolutePath().normalize();
        Path near = here.getRoot() != null && here.getRoot().equals(whole.getRoot()) ? here.relativize(whole) : whole;
        return UnixDomainSocketAddress.of(
                near.toString().length() < whole.toString().length() ? near : whole);
    }

    private static void removeLeftover(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isOther()) {
                throw new IOException("something else has this name");
            }
            Files.delete(file);
        }
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        Channels.newOutputStream(channel).write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(SocketChannel channel) throws IOException {
        byte[] all = Channels.newInputStream(channel).readNBytes(MAX_BYTES + 1);
        if (all.length > MAX_BYTES) {
            throw new IOException("The text is too long.");
        }
        return new String(all, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(file);
    }
}
