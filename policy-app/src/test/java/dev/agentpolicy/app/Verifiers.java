package dev.agentpolicy.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Those who verify: the command, and the scripts of docs/verify that can run here, which share no code with it. */
enum Verifiers {
    FAST("node verify.mjs", "python3 verify.py"),
    /** With the one in shell, which takes its time. */
    ALL("node verify.mjs", "python3 verify.py", "sh verify.sh");

    private static final Path SCRIPTS = Path.of("../docs/verify");
    private static final List<String> NEEDED_BY_SHELL = List.of("openssl", "jq", "iconv", "sha256sum");

    private final List<String> scripts;

    Verifiers(String... scripts) {
        this.scripts = List.of(scripts);
    }

    /** What each of them says of pages and keys, the command first; one line each. */
    List<String> verdicts(Path folder, String events, String keys, String... options)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                Files.writeString(folder.resolve("events.json"), events).toString(),
                Files.writeString(folder.resolve("signing-keys.json"), keys).toString()));
        arguments.addAll(List.of(options));
        CommandLineRun own = new CommandLineRun();
        own.main("verify", arguments.toArray(String[]::new));
        List<String> verdicts = new ArrayList<>(List.of(own.out().strip()));
        for (String script : scripts) {
            String program = script.substring(0, script.indexOf(' '));
            String file =
                    SCRIPTS.resolve(script.substring(program.length() + 1)).toString();
            if (isThere(program)) {
                verdicts.add(Shell.line(List.of(program, file), arguments));
            }
        }
        return verdicts;
    }

    private static boolean isThere(String program) {
        Stream<String> needed = program.equals("sh") ? NEEDED_BY_SHELL.stream() : Stream.of(program);
        return needed.allMatch(Shell::has);
    }
}
