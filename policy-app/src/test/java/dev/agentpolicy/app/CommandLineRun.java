package dev.agentpolicy.app;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.stream.Stream;

/** Runs the command line inside the test, with its own environment, and keeps what it printed. */
public final class CommandLineRun {
    private final Map<String, String> environment;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    public CommandLineRun() {
        this(Map.of());
    }

    public CommandLineRun(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The exit code. */
    public int main(String command, String... options) {
        String[] arguments =
                Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
        out = new StringWriter();
        err = new StringWriter();
        return Main.commandLine(environment)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    public String out() {
        return out.toString();
    }

    public String err() {
        return err.toString();
    }
}
