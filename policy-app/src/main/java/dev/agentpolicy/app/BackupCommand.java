package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Copies the database of a service that runs on H2, or of one that is stopped (docs/operations.md, Backup). */
@Command(
        name = "backup",
        description = "Copy the H2 database of a service, running or stopped, into a new file."
                + " Needs the settings of the service.",
        mixinStandardHelpOptions = true)
final class BackupCommand extends ServiceCommand {
    /** The command to the service that has an H2 file open to write out the contents of the file. */
    static final String CONTROL_COMMAND = "export";

    @Parameters(paramLabel = "FILE", description = "A file that is not there yet; becomes an H2 file of mode 0600.")
    private Path file = Path.of("");

    BackupCommand(Map<String, String> environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        Config config = config();
        DatabaseConfig database = Wiring.database(config);
        Optional<Path> source = H2Backup.databaseOf(database.url());
        H2Backup.Contents contents = H2Backup.of(database)
                .write(
                        file,
                        script -> source.flatMap(it -> ControlSocket.ask(it, CONTROL_COMMAND, script.toString()))
                                .isPresent());
        say("Copied " + count(contents.accounts(), "account") + " with " + count(contents.events(), "event") + " to "
                + file);
        return 0;
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** What a running service does when it receives the command. */
    static ControlSocket.ControlCommand controlCommand(JdbcStore store) {
        return arguments -> {
            if (arguments.size() != 1) {
                throw new CannotStart("The command to export needs a file.");
            }
            store.export(Path.of(arguments.get(0)));
            return "";
        };
    }
}
