package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.sample.Interpreter;
import dev.agentpolicy.domain.sample.Interpreter.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Runs the verifiers of docs/verify against changed vectors. */
public abstract class ScriptRunner {
    public static final ObjectMapper JSON = new ObjectMapper();
    public static final String HEAD = "1ecf81536bf57e069ea8e65d5672ae62af8dc33ef9eb91683113b9b7726c2cdc";
    /** Whether every script runs every attack, which starts many interpreters. */
    public static final boolean ALL = Boolean.getBoolean("verify.all");

    static final Set<Script> THERE =
            Stream.of(Script.values()).filter(Script::isThere).collect(Collectors.toSet());
    public static final String KEY = TestKey.ONE.keyId();

    @TempDir
    Path directory;

    public String tampered(Script script, Tampering change) throws Exception {
        ObjectNode page = (ObjectNode) JSON.readTree(TestJson.file("vectors/events.json"));
        ObjectNode keys = (ObjectNode) JSON.readTree(TestJson.file("vectors/signing-keys.json"));
        String events = change.edit.apply(page, keys);
        return run(script, events, keys.toString(), change.options);
    }

    public String run(Script script, String events, String keys, String... options) throws Exception {
        assumeTrue(THERE.contains(script), () -> script.missing());
        Path page = Files.writeString(directory.resolve("events.json"), events);
        Path manifest = Files.writeString(directory.resolve("signing-keys.json"), keys);
        List<String> arguments = new ArrayList<>(List.of(page.toString(), manifest.toString()));
        arguments.addAll(List.of(options));
        Ended ended = script.run(arguments);
        String said = ended.text();
        int code = said.startsWith("ok ") ? said.contains(" erased [") ? 3 : 0 : 1;
        assertThat(ended.code()).as(said).isEqualTo(code);
        assertThat(said).matches("(?s).* \\[[^\\]]*]\n");
        return said.substring(0, said.lastIndexOf(" ["));
    }

    public static Tampering edited(String name, int seq, BiConsumer<ObjectNode, ObjectNode> edit, String... options) {
        return new Tampering(
                name,
                seq,
                (page, keys) -> {
                    edit.accept(page, keys);
                    return page.toString();
                },
                options);
    }

    public static Tampering raw(String name, int seq, UnaryOperator<String> edit) {
        return new Tampering(name, seq, (page, keys) -> edit.apply(page.toString()));
    }

    public static String twoPages(String text) {
        try {
            ObjectNode first = (ObjectNode) JSON.readTree(text);
            ObjectNode second = first.deepCopy();
            for (int i = 0; i < 3; i++) {
                rows(first).remove(3);
                rows(second).remove(0);
            }
            return "[" + first + "," + second + "]";
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public static ArrayNode rows(ObjectNode page) {
        return page.withArray("events");
    }

    public static ObjectNode row(ObjectNode page, int seq) {
        return (ObjectNode) rows(page).get(seq - 1);
    }

    public static ObjectNode payload(ObjectNode page, int seq) {
        return (ObjectNode) row(page, seq).get("payload");
    }

    public static ObjectNode head(ObjectNode page) {
        return (ObjectNode) page.get("head");
    }

    public static ObjectNode key(ObjectNode keys, int place) {
        return (ObjectNode) keys.withArray("keys").get(place);
    }

    /** A manifest, signed again by the anchor key of the vectors. */
    public static ObjectNode signedAgain(ObjectNode keys) {
        keys.remove("signature");
        String message = "agent-policy/manifest/v1\n" + TestJson.canonical(keys.toString());
        keys.putObject("signature").put("keyId", TestKey.ANCHOR.keyId()).put("value", TestKey.ANCHOR.sign(message));
        return keys;
    }

    public static void upper(ObjectNode row, String member) {
        row.put(member, row.get(member).textValue().toUpperCase(Locale.ROOT));
    }

    public static void signature(ObjectNode page, int seq, UnaryOperator<String> edit) {
        row(page, seq)
                .put("signature", edit.apply(row(page, seq).get("signature").textValue()));
    }

    /** A row that names one key and has the signature of another. */
    public static void signedAgain(ObjectNode page, int seq, String keyId, TestKey key) {
        ObjectNode row = row(page, seq).put("signingKeyId", keyId);
        PolicyEvent read = RowJson.read(TestJson.object(row.toString())).orElseThrow();
        String hash = Sha256.hex(Messages.header(read));
        row.put("hash", hash).put("signature", key.sign(Messages.eventSignature(hash)));
    }

    /** A change of the vectors, and the row at which a verifier finds it; 0 if it does not. */
    public record Tampering(String name, int seq, Edit edit, String... options) {}

    interface Edit {
        String apply(ObjectNode page, ObjectNode keys);
    }

    public enum Script {
        NODE("node", "verify.mjs", "node", "--version"),
        /** The verifier of the console. */
        CONSOLE("node", "../../policy-adapters-http/src/test/console/verify-chain.mjs", "node", "--version"),
        PYTHON("python3", "verify.py", "python3", "--version"),
        /** Without installed packages, so that it uses its own arithmetic. */
        PYTHON_ALONE("python3 -S", "verify.py", "python3", "--version"),
        SHELL(
                "sh",
                "verify.sh",
                "sh",
                "-c",
                "for tool in openssl jq iconv sha256sum base64; do command -v $tool || exit 1; done");

        private final String program;
        private final String file;
        private final String[] probe;

        Script(String program, String file, String... probe) {
            this.program = program;
            this.file = file;
            this.probe = probe;
        }

        Ended run(List<String> arguments) throws IOException, InterruptedException {
            Path path = TestJson.docs().resolve("verify").resolve(file);
            return Interpreter.run(List.of(program.split(" ")), path, arguments);
        }

        boolean isThere() {
            try {
                return new ProcessBuilder(probe)
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0;
            } catch (IOException absent) {
                return false;
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        String missing() {
            String message =
                    "NOT VERIFIED: " + file + " was not run, since " + String.join(" ", probe) + " failed here.";
            System.err.println(message);
            return message;
        }
    }
}
