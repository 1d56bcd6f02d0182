package dev.agentpolicy.domain.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Runs scripts: the first time as the command line does, and later ones of Node.js and Python one after the other in one
 * process, since the start of an interpreter takes ten times as long as a verification. Each runs whole, with arguments of
 * its own. The interpreters end with this process.
 */
public final class Interpreter {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** For each line, which is a script and its arguments, prints a line with what it said and its exit code. */
    private static final Map<String, List<String>> RUNNERS = Map.of(
            "node", List.of("--input-type=module", "-e", """
                    import { createInterface } from 'node:readline';
                    import { format } from 'node:util';
                    import { pathToFileURL } from 'node:url';
                    const print = console.log;
                    let runs = 0;
                    let text = '';
                    console.log = console.error = (...said) => { text += `${format(...said)}\\n`; };
                    for await (const line of createInterface({ input: process.stdin })) {
                      const [script, ...args] = JSON.parse(line);
                      text = '';
                      process.argv = [process.argv[0], script, ...args];
                      process.exitCode = 0;
                      try {
                        await import(`${pathToFileURL(script)}?run=${runs += 1}`);
                      } catch (thrown) {
                        console.error(thrown);
                        process.exitCode = 1;
                      }
                      print(JSON.stringify({ code: process.exitCode, text }));
                    }
                    process.exitCode = 0;
                    """),
            "python3", List.of("-c", """
                    import contextlib, io, json, os, sys, traceback
                    programs = {}
                    for line in sys.stdin:
                        script, *args = json.loads(line)
                        sys.argv = [script, *args]
                        sys.path[0] = os.path.dirname(script)
                        said, code = io.StringIO(), 0
                        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                            try:
                                if script not in programs:
                                    programs[script] = compile(open(script, encoding="utf-8").read(), script, "exec")
                                exec(programs[script], {"__name__": "__main__", "__file__": script})
                            except SystemExit as end:
                                code = end.code or 0
                            except BaseException:
                                traceback.print_exc()
                                code = 1
                        print(json.dumps({"code": code, "text": said.getvalue()}), flush=True)
                    """));

    /** What ran before. */
    private static final Set<List<String>> KNOWN = ConcurrentHashMap.newKeySet();

    private static final Map<List<String>, Interpreter> RUNNING = new ConcurrentHashMap<>();

    private final BufferedWriter in;
    private final BufferedReader out;

    private Interpreter(List<String> program) {
        List<String> command = Stream.concat(program.stream(), RUNNERS.get(program.get(0)).stream())
                .toList();
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            in = process.outputWriter(StandardCharsets.UTF_8);
            out = process.inputReader(StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What a script printed, to stdout and stderr, and its exit code. */
    public record Ended(int code, String text) {}

    /** Runs a script to its end. */
    public static Ended run(List<String> program, Path script, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.add(script.toString());
        boolean isKnown = !KNOWN.add(List.copyOf(command));
        if (isKnown && RUNNERS.containsKey(program.get(0))) {
            return RUNNING.computeIfAbsent(program, Interpreter::new).run(script, arguments);
        }
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    private synchronized Ended run(Path script, List<String> arguments) throws IOException {
        List<String> line =
                new ArrayList<>(List.of(script.toAbsolutePath().normalize().toString()));
        line.addAll(arguments);
        in.write(JSON.writeValueAsString(line) + "\n");
        in.flush();
        String answer = out.readLine();
        if (answer == null) {
            throw new AssertionError("The interpreter ended while it ran " + line);
        }
        JsonNode ended = JSON.readTree(answer);
        return new Ended(ended.get("code").intValue(), ended.get("text").textValue());
    }
}
