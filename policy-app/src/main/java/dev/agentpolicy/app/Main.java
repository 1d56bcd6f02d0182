package dev.agentpolicy.app;

import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.config.FailureReport;
import dev.agentpolicy.app.verify.VerifyCommand;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line; without a command, it serves. */
@Command(
        name = "policy-app",
        description = "A policy layer between agents and a user's portfolio. Without a command, it serves.",
        footer = {"", "Settings are environment variables; see docs/configuration.md."},
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main extends ServiceCommand {
    private Main(Map<String, String> environment) {
        super(environment);
    }

    /** Runs the command, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Map<String, String> environment = System.getenv();
        System.exit(run(environment, arguments));
    }

    /** Skips the command-line parser, whose classes take long to load, where a process is started often. */
    private static int run(Map<String, String> environment, String... arguments) {
        if (arguments.length == 0) {
            return serve(environment);
        }
        boolean isPlainMcp = arguments.length == 3
                && arguments[0].equals(McpCommand.NAME)
                && arguments[1].equals(McpCommand.URL_OPTION);
        return isPlainMcp
                ? McpCommand.run(environment, arguments[2])
                : commandLine(environment).execute(arguments);
    }

    private static int serve(Map<String, String> environment) {
        try {
            return Serve.serve(
                    Config.of(environment),
                    new PrintWriter(System.out, true, Charset.defaultCharset()),
                    (running, out) -> {});
        } catch (RuntimeException failed) {
            return FailureReport.explain(failed, new PrintWriter(System.err, true, Charset.defaultCharset()));
        }
    }

    static CommandLine commandLine(Map<String, String> environment) {
        return new CommandLine(new Main(environment))
                .addSubcommand(new Serve(environment))
                .addSubcommand(new Demo(environment))
                .addSubcommand(new McpCommand(environment))
                .addSubcommand(new VerifyCommand(environment))
                .addSubcommand(new PolicyCommand())
                .addSubcommand(new KeysCommand(environment))
                .addSubcommand(new TlogCommand(environment))
                .addSubcommand(new WitnessCommand())
                .addSubcommand(new EraseCommand(environment))
                .addSubcommand(new EraseCommand.Deleted(environment))
                .addSubcommand(new BackupCommand(environment))
                .addSubcommand(new SchemaCommand(environment))
                .setExecutionExceptionHandler(
                        (failed, command, parsed) -> FailureReport.explain(failed, command.getErr()));
    }

    @Override
    public Integer call() {
        return Serve.serve(config(), out(), (running, out) -> {});
    }

    /** The version of the jar. */
    static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "from source" : version;
    }

    /** Prints the version for {@code --version}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"Agent Policy " + version()};
        }
    }
}
