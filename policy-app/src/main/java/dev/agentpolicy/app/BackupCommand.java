package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the database of a service that runs on H2, or of one that is stopped (docs/operations.md, Backup). */
@Command(
        name = "backup",
        description = "Copy the H2 database of a service, running or stopped, into a new file."
                + " Needs the settings of the service.",
        mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {
    /** The command to the service that has an H2 file open to write out the contents of the file. */
    static final String CONTROL_COMMAND = "export";

    private final Map<String, String> environment;

    @Parameters(paramLabel = "FILE", description = "A file that is not there yet; becomes an H2 file of mode 0600.")
    private Path file = Path.of("");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    BackupCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Config config = Config.of(environment);
        DatabaseConfig database = Wiring.database(config);
        Optional<Path> source = H2Backup.databaseOf(database.url());
        H2Backup.Contents contents = H2Backup.of(database)
                .write(
                        file,
                        script -> source.flatMap(it -> ControlSocket.ask(it, CONTROL_COMMAND, script.toString()))
                                .isPresent());
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "Copied %s with %s to %s%n",
                count(contents.accounts(), "account"), count(contents.events(), "event"), file);
        out.flush();
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
