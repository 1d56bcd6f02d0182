package dev.agentpolicy.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.app.Verifiers.Said;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The verifiers agree on pages and manifests that are changed at random and, mostly, signed again: 100 000 with
 * {@code -Plong}, 4 000 of them in every build. The verifier for the shell takes a quarter of a second for a file, so it
 * reads a few of them, drawn by the seed: 6 in every build, 1 000 with {@code -Plong}.
 */
@Tag("slow")
class MutatedPagesTest {
    private static final int PAGES = ExperimentSettings.times("verify.pages", 4_000, 100_000);
    private static final int SHELL_PAGES = ExperimentSettings.times("verify.shell-pages", 6, 1_000);
    private static final int BATCH = 250;
    private static final List<String> BASES = List.of("hostile/genuine/", "", "erased/", "erased-account/");
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "1",
            "2",
            "-1",
            "9007199254740991",
            "\"\"",
            "\"x\"",
            "\"\u00e9\\n\"",
            "[]",
            "{}",
            "[null]",
            "{\"a\":1}",
            "\"event\"",
            "\"revoked\"",
            "\"compromise\"",
            "\"2026-11-31T10:00:00.000000Z\"",
            "\"2026-11-21T10:00:00.000000Z\"",
            "\"AAAA\"",
            "\"\\\\0145vent\"",
            "[[[[[[[[1]]]]]]]]");
    private static final List<String> NUMBERS =
            List.of("-0", "1.0", "1e0", "01", "+1", "1e-400", "NaN", "9007199254740992");

    private static final String NODE = """
            import { readFileSync } from 'node:fs';
            import { createInterface } from 'node:readline';
            import { pathToFileURL } from 'node:url';
            const script = process.argv[1];
            const source = readFileSync(script, 'utf8').replace(/^#!.*/, '')
              .replace(/^import (\\{.*\\}) from '(node:[a-z]+)';$/gm, "const $1 = await load('$2');")
              .replaceAll('await import(', 'await load(').replaceAll('import.meta.url', 'here');
            const run = new (async () => {}).constructor('process', 'console', 'load', 'here', source);
            const load = (module) => import(module);
            for await (const line of createInterface({ input: process.stdin })) {
              const answers = [];
              for (const files of JSON.parse(line)) {
                let text = '';
                const say = (said) => { text += `${said}\\n`; };
                const own = { argv: ['node', script, ...files], exitCode: 0 };
                try {
                  await run(own, { log: say, error: say }, load, pathToFileURL(script).href);
                } catch (thrown) {
                  own.exitCode = -1;
                  say(thrown.stack);
                }
                answers.push({ code: own.exitCode, text });
              }
              console.log(JSON.stringify(answers));
            }
            """;
    private static final String PYTHON = """
            import contextlib, io, json, os, sys, traceback
            script = sys.argv[1]
            sys.path.insert(0, os.path.dirname(script))
            module = {"__name__": "verify"}
            exec(compile(open(script, encoding="utf-8").read(), script, "exec"), module)
            for line in sys.stdin:
                answers = []
                for files in json.loads(line):
                    sys.argv, said = [script, *files], io.StringIO()
                    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                        try:
                            code = module["main"](module["arguments"]())
                        except (module["NoVerdict"], module["Broken"]) as reason:
                            print(f"verify: {reason}")
                            code = 2
                        except BaseException:
                            traceback.print_exc()
                            code = -1
                    answers.append({"code": code, "text": said.getvalue()})
                print(json.dumps(answers), flush=True)
            """;

    @TempDir
    private Path folder;

    private final Random random = new Random(ExperimentSettings.seed(MutatedPagesTest.class));

    /** A verifier in one process for all pages. */
    private record Runner(String name, BufferedWriter in, BufferedReader out) {
        static Runner start(String name, List<String> command) throws IOException {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new Runner(
                    name, process.outputWriter(StandardCharsets.UTF_8), process.inputReader(StandardCharsets.UTF_8));
        }

        List<Said> said(List<List<String>> files) {
            try {
                in.write(SignedPages.JSON.writeValueAsString(files) + "\n");
                in.flush();
                List<Said> said = new ArrayList<>();
                for (JsonNode answer : SignedPages.JSON.readTree(out.readLine())) {
                    said.add(new Said(
                            name,
                            answer.get("code").intValue(),
                            answer.get("text").textValue().strip()));
                }
                return said;
            } catch (IOException ended) {
                throw new AssertionError(name + " ended", ended);
            }
        }
    }

    @Test
    void all_verifiers_agree_on_pages_that_are_changed_at_random() throws Exception {
        List<Runner> runners = new ArrayList<>();
        Path docs = TestJson.docs().toAbsolutePath().normalize();
        if (Shell.has("node")) {
            Path console = docs.resolveSibling("policy-adapters-http/src/test/console/verify-chain.mjs");
            runners.add(Runner.start("node", node(docs.resolve("verify/verify.mjs"))));
            runners.add(Runner.start("console", node(console)));
        }
        if (Shell.has("python3")) {
            runners.add(Runner.start(
                    "python",
                    List.of(
                            "python3",
                            "-c",
                            PYTHON,
                            docs.resolve("verify/verify.py").toString())));
        }
        boolean hasShell = Verifiers.ALL.absent().isEmpty();
        SoftAssertions all = new SoftAssertions();
        for (int done = 0; done < PAGES && all.assertionErrorsCollected().size() < 5; done += BATCH) {
            List<List<String>> files = new ArrayList<>();
            for (int i = 0; i < Math.min(BATCH, PAGES - done); i++) {
                files.add(mutated(i));
            }
            List<CompletableFuture<List<Said>>> asked = runners.stream()
                    .map(runner -> CompletableFuture.supplyAsync(() -> runner.said(files)))
                    .toList();
            List<Said> own = files.stream().map(Verifiers::command).toList();
            for (int i = 0; i < files.size(); i++) {
                List<Said> said = new ArrayList<>(List.of(own.get(i)));
                for (CompletableFuture<List<Said>> answers : asked) {
                    said.add(answers.join().get(i));
                }
                if (hasShell && random.nextInt(PAGES) < SHELL_PAGES) {
                    said.add(Verifiers.script("sh verify.sh", files.get(i)));
                }
                int before = all.assertionErrorsCollected().size();
                VerifiersAgreeTest.sameLine(all, "page " + (done + i), said);
                if (all.assertionErrorsCollected().size() > before) {
                    keep(files.get(i), done + i);
                }
            }
        }
        for (Runner runner : runners) {
            runner.in().close();
        }
        all.assertAll();
    }

    private static List<String> node(Path script) {
        return List.of("node", "--input-type=module", "-e", NODE, script.toString());
    }

    /** Keeps files on which verifiers differ, where a developer finds them. */
    private static void keep(List<String> files, int number) throws IOException {
        Path kept = Files.createDirectories(Path.of("target/mutated-pages"));
        for (String file : files) {
            Path from = Path.of(file);
            String name = number + "-" + from.getFileName().toString().replaceAll("^[0-9]+-", "");
            Files.write(kept.resolve(name), Files.readAllBytes(from));
        }
    }

    private List<String> mutated(int number) throws IOException {
        Path base = FormVectors.VECTORS.resolve(BASES.get(random.nextInt(BASES.size())));
        boolean isChanged = base.endsWith("hostile/genuine") && random.nextBoolean();
        ObjectNode page = isChanged ? FormVectors.CHANGED.deepCopy() : SignedPages.read(base.resolve("events.json"));
        ObjectNode keys = SignedPages.read(base.resolve("signing-keys.json"));
        boolean isManifest = random.nextInt(4) == 0;
        ObjectNode changed = isManifest ? keys : page;
        for (int i = random.nextInt(3); i >= 0; i--) {
            change(changed);
        }
        if (random.nextInt(10) < 7) {
            if (isManifest) {
                SignedPages.signed(keys);
            } else {
                SignedPages.signed(page, true);
            }
        }
        byte[] events = FormVectors.bytes(random.nextInt(8) == 0 ? page.get("events") + "" : page.toString());
        byte[] manifest = FormVectors.bytes(keys.toString());
        if (random.nextInt(3) == 0) {
            events = isManifest ? events : spoilt(events);
            manifest = isManifest ? spoilt(manifest) : manifest;
        }
        Path pages = Files.write(folder.resolve(number + "-events.json"), events);
        return List.of(
                pages.toString(),
                Files.write(folder.resolve(number + "-keys.json"), manifest).toString());
    }

    /** Changes, removes, adds or repeats something at a random place. */
    private void change(JsonNode root) throws IOException {
        JsonNode node = root;
        while (true) {
            List<JsonNode> children = new ArrayList<>();
            node.forEach(child -> {
                if (child.isContainerNode() && !child.isEmpty()) {
                    children.add(child);
                }
            });
            if (children.isEmpty() || random.nextInt(4) == 0) {
                break;
            }
            node = children.get(random.nextInt(children.size()));
        }
        JsonNode value = SignedPages.JSON.readTree(VALUES.get(random.nextInt(VALUES.size())));
        if (node instanceof ArrayNode array && !array.isEmpty()) {
            int place = random.nextInt(array.size());
            switch (random.nextInt(4)) {
                case 0 -> array.remove(place);
                case 1 -> array.insert(place, array.get(place).deepCopy());
                case 2 -> array.insert(random.nextInt(array.size()), array.remove(place));
                default -> array.set(place, value);
            }
        } else if (node instanceof ObjectNode object && !object.isEmpty()) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            String name = names.get(random.nextInt(names.size()));
            switch (random.nextInt(5)) {
                case 0 -> object.remove(name);
                case 1 -> object.set("more", value);
                case 2 ->
                    object.set(
                            name,
                            object.get(names.get(random.nextInt(names.size()))).deepCopy());
                default -> object.set(name, value);
            }
        }
    }

    /** Changes the text of a file, so that it may not be JSON any more. */
    private byte[] spoilt(byte[] file) {
        byte[] text = file.clone();
        int place = random.nextInt(Math.max(1, text.length - 1));
        switch (random.nextInt(6)) {
            case 0 -> text[place] = (byte) random.nextInt(256);
            case 1 -> text = Arrays.copyOf(text, place);
            case 2 ->
                text = inserted(
                        text, place, new byte[] {(byte) "\"\\{}[],: 0e-.\t\nu\u00ef".charAt(random.nextInt(17))});
            case 3 -> {
                String read = new String(text, StandardCharsets.UTF_8);
                text = FormVectors.bytes(read.replaceFirst(
                        random.nextBoolean() ? "(?<=[:,\\[])[0-9]+(?=[,}\\]])" : "(?<=\"seq\":)[0-9]+",
                        NUMBERS.get(random.nextInt(NUMBERS.size()))));
            }
            case 4 -> text = inserted(text, 1, FormVectors.bytes("\"seq\":1,"));
            default -> text = inserted(text, place, FormVectors.bytes(random.nextBoolean() ? "\\ud800" : "\\u0041"));
        }
        return text;
    }

    private static byte[] inserted(byte[] text, int place, byte[] more) {
        int at = Math.min(place, text.length);
        byte[] longer = Arrays.copyOf(text, text.length + more.length);
        System.arraycopy(more, 0, longer, at, more.length);
        System.arraycopy(text, at, longer, at + more.length, text.length - at);
        return longer;
    }
}
