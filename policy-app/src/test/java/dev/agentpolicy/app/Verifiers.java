package dev.agentpolicy.app;

import dev.agentpolicy.app.verify.VerifyCommand;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.sample.Interpreter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The verifiers: the command, and the scripts of docs/verify that can run here and share no code with it. */
enum Verifiers {
    FAST("node verify.mjs", "python3 verify.py"),
    /** With the slow one for the shell. */
    ALL("node verify.mjs", "python3 verify.py", "sh verify.sh");

    private static final Path SCRIPTS = Path.of("../docs/verify");
    private static final Path CONSOLE = Path.of("../policy-adapters-http/src/test/console/verify-chain.mjs");
    private static final int SHELLS_SHARE = ExperimentSettings.times(10, 1);
    private static final Random TURNS = new Random(ExperimentSettings.seed(Verifiers.class));
    private static final List<String> NEEDED_BY_SHELL = List.of("openssl", "jq", "iconv", "sha256sum");

    private final List<String> scripts;

    Verifiers(String... scripts) {
        this.scripts = List.of(scripts);
    }

    /**
     * The result of a verifier.
     *
     * @param verifier name of the verifier
     * @param code exit code
     * @param line its one line
     */
    record Said(String verifier, int code, String line) {

        /** The verdict without the keys it rests on. */
        String verdict() {
            return line.replaceFirst("(?m) \\[[^\\[\n]*]$", "");
        }
    }

    /** The verdicts on pages and keys, that of the command first; one line each, without the keys it relies on. */
    List<String> verdicts(Path folder, String events, String keys, String... options)
            throws IOException, InterruptedException {
        Path pages = Files.writeString(folder.resolve("events.json"), events);
        Path manifest = Files.writeString(folder.resolve("signing-keys.json"), keys);
        return said(List.of(pages.toString(), manifest.toString()), options).stream()
                .map(Said::verdict)
                .toList();
    }

    /** The results for files, that of the command first. */
    List<Said> said(List<String> files, String... options) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(files);
        arguments.addAll(List.of(options));
        return said(arguments);
    }

    private List<Said> said(List<String> arguments) throws IOException, InterruptedException {
        List<Said> said = new ArrayList<>(List.of(command(arguments)));
        for (String script : scripts) {
            if (isThere(script.substring(0, script.indexOf(' '))) && isItsTurn(script)) {
                said.add(oneOfMany(script, arguments));
            }
        }
        return said;
    }

    /** Whether a script is run: that for the shell takes longest, so that each build runs it on a tenth of the files. */
    static boolean isItsTurn(String script) {
        return !script.startsWith("sh ") || TURNS.nextInt(SHELLS_SHARE) == 0;
    }

    /** The command alone, since that of the program makes all others as well, which takes ten times as long. */
    static Said command(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new VerifyCommand(Map.of()))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
        return new Said("verify", code, (code == 2 ? err : out).toString().strip());
    }

    /** Runs a script of the command line. */
    static Said script(String script, List<String> arguments) throws IOException, InterruptedException {
        String program = script.substring(0, script.indexOf(' '));
        String file = SCRIPTS.resolve(script.substring(program.length() + 1)).toString();
        return Shell.run(script, List.of(program, file), arguments);
    }

    /** Runs one of many scripts. */
    static Said oneOfMany(String script, List<String> arguments) throws IOException, InterruptedException {
        String program = script.substring(0, script.indexOf(' '));
        return oneOfMany(script, program, SCRIPTS.resolve(script.substring(program.length() + 1)), arguments);
    }

    private static Said oneOfMany(String name, String program, Path script, List<String> arguments)
            throws IOException, InterruptedException {
        Interpreter.Ended ended = Interpreter.run(List.of(program), script, arguments);
        return new Said(name, ended.code(), ended.text().strip());
    }

    /** What the console's own verifier says. */
    static Said console(List<String> arguments) throws IOException, InterruptedException {
        return oneOfMany("console", "node", CONSOLE, arguments);
    }

    List<String> scripts() {
        return scripts;
    }

    /** Scripts whose program is not on this machine. */
    Set<String> absent() {
        return scripts.stream()
                .filter(script -> !isThere(script.substring(0, script.indexOf(' '))))
                .collect(Collectors.toSet());
    }

    private static boolean isThere(String program) {
        Stream<String> needed = program.equals("sh") ? NEEDED_BY_SHELL.stream() : Stream.of(program);
        return needed.allMatch(Shell::has);
    }
}
