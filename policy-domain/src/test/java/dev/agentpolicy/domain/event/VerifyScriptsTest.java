package dev.agentpolicy.domain.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.domain.document.Document;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The verifiers of docs/verify, which share no code with this service, come to the verdicts documented there. */
class VerifyScriptsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAD = "1ecf81536bf57e069ea8e65d5672ae62af8dc33ef9eb91683113b9b7726c2cdc";
    /** Whether every script meets every attack; each start of an interpreter takes its time. */
    private static final boolean ALL = Boolean.getBoolean("verify.all");

    private static final Set<Script> THERE =
            Stream.of(Script.values()).filter(Script::isThere).collect(Collectors.toSet());
    private static final String KEY = TestKey.ONE.keyId();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void the_vectors_are_accepted(Script script) throws Exception {
        for (String folder : List.of("vectors", "vectors/emergency")) {
            String events = TestJson.file(folder + "/events.json");
            String last = (String) ((Document) TestJson.object(events).get("head")).get("hash");

            assertThat(run(script, events, TestJson.file(folder + "/signing-keys.json"), "--pin", KEY))
                    .matches("ok [56] rows, head " + last);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "PYTHON_ALONE", mode = EnumSource.Mode.EXCLUDE)
    void what_changes_nothing_is_accepted(Script script) throws Exception {
        for (Tampering change : harmless()) {
            assertThat(tampered(script, change)).as(change.name).isEqualTo("ok 6 rows, head " + HEAD);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "PYTHON_ALONE", mode = EnumSource.Mode.EXCLUDE)
    void tampering_is_found(Script script) throws Exception {
        List<Tampering> changes = new ArrayList<>(harmfulWhereParsersDiffer());
        if (script == Script.NODE || script == Script.CONSOLE || ALL) {
            changes.addAll(harmful());
        }
        for (Tampering change : changes) {
            assertThat(tampered(script, change)).as(change.name).startsWith("broken at seq " + change.seq + ": ");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "PYTHON_ALONE", mode = EnumSource.Mode.EXCLUDE)
    void an_emergency_a_thief_could_have_declared_is_refused(Script script) throws Exception {
        String events = TestJson.file("vectors/emergency/events.json");
        ObjectNode keys = (ObjectNode) JSON.readTree(TestJson.file("vectors/emergency/signing-keys.json"));
        String refused = "broken at seq 4: the new key of an emergency is not attested by a root key";

        assertThat(run(script, events, keys.toString(), "--root", TestKey.STRANGER.keyId()))
                .isEqualTo(refused);
        unsigned(keys).withArray("keys").forEach(key -> ((ObjectNode) key).putArray("attestations"));
        assertThat(run(script, events, keys.toString())).isEqualTo(refused);
    }

    private static List<Tampering> harmless() {
        return List.of(
                edited("a payload erased", 0, (page, keys) -> row(page, 3).putNull("payload")),
                edited(
                        "members in another order",
                        0,
                        (page, keys) -> row(page, 2).set("v", row(page, 2).remove("v"))),
                raw(
                        "blanks and escapes",
                        0,
                        text -> text.replace("\":", "\" :\n").replace("\"salt\"", "\"\\u0073alt\"")),
                raw("two pages", 0, VerifyScriptsTest::twoPages),
                edited("a receipt that holds", 0, (page, keys) -> {}, "--receipt", "6:" + HEAD));
    }

    /** What tests the JSON reader, the text forms and the options of each language, and one of each kind of attack. */
    private static List<Tampering> harmfulWhereParsersDiffer() {
        return List.of(
                edited("a payload edited", 3, (page, keys) -> payload(page, 3).put("amountUsd", "1")),
                edited("a row deleted", 4, (page, keys) -> rows(page).remove(2)),
                edited(
                        "rows swapped",
                        4,
                        (page, keys) -> rows(page).insert(2, rows(page).remove(3))),
                edited(
                        "rows moved to another user",
                        1,
                        (page, keys) -> rows(page)
                                .forEach(row ->
                                        ((ObjectNode) row).put("userId", "00000000-0000-4000-8000-000000000000"))),
                edited("a member added", 2, (page, keys) -> row(page, 2).put("comment", "x")),
                edited("upper-case hex in an erased row", 2, (page, keys) -> {
                    row(page, 2).putNull("payload");
                    upper(row(page, 2), "payloadHash");
                }),
                edited(
                        "loose bits in a signature",
                        2,
                        (page, keys) -> signature(page, 2, text -> text.substring(0, 85) + "B")),
                edited("a line feed after a signature", 2, (page, keys) -> signature(page, 2, text -> text + "\n")),
                edited("a decimal number", 3, (page, keys) -> payload(page, 3).put("ipsVersion", 1.5)),
                raw("a lone surrogate", 1, text -> text.replaceFirst("\"cashFloorUsd\"", "\"l\": \"\\\\ud800\", $0")),
                raw("a member twice", 1, text -> text.replaceFirst("\"ipsVersion\"", "\"ipsVersion\": 2, $0")),
                edited(
                        "another key under a known id",
                        1,
                        (page, keys) -> key(keys, 1).put("x", TestKey.STRANGER.x())),
                edited("an edited manifest", 1, (page, keys) -> key(keys, 1).put("status", "active")),
                edited("a real key in the sandbox", 1, (page, keys) -> {}, "--purpose", "sandbox"),
                edited("rows cut off", 6, (page, keys) -> rows(page).remove(5), "--receipt", "6:" + HEAD),
                edited(
                        "a head of another history",
                        6,
                        (page, keys) -> head(page).put("hash", "0".repeat(64))));
    }

    /** The rest, found by code that is the same in all of them. */
    private static List<Tampering> harmful() {
        return List.of(
                edited(
                        "a time edited",
                        3,
                        (page, keys) -> row(page, 3).put("createdAt", "2026-11-21T09:41:12.345677Z")),
                edited("a kind edited", 2, (page, keys) -> row(page, 2).put("eventType", "key.revoked")),
                edited("the first row deleted", 2, (page, keys) -> rows(page).remove(0)),
                edited(
                        "a row duplicated",
                        2,
                        (page, keys) -> rows(page).insert(2, row(page, 2).deepCopy())),
                edited("a member stripped", 2, (page, keys) -> row(page, 2).remove("payload")),
                edited("upper-case hex", 2, (page, keys) -> upper(row(page, 2), "hash")),
                edited("padding after a signature", 2, (page, keys) -> signature(page, 2, text -> text + "==")),
                edited(
                        "another signature",
                        2,
                        (page, keys) ->
                                row(page, 2).set("signature", row(page, 1).get("signature"))),
                edited("a number too large", 3, (page, keys) -> payload(page, 3).put("ipsVersion", 9007199254740993L)),
                edited("another version", 1, (page, keys) -> row(page, 1).put("v", 2)),
                edited("an erased rotation", 5, (page, keys) -> row(page, 5).putNull("payload")),
                edited(
                        "a key missing",
                        5,
                        (page, keys) -> unsigned(keys).withArray("keys").remove(2)),
                edited(
                        "a key of the sandbox",
                        1,
                        (page, keys) -> key(unsigned(keys), 1).put("purpose", "sandbox")),
                edited("another first key than pinned", 1, (page, keys) -> {}, "--pin", TestKey.TWO.keyId()),
                edited(
                        "a lost key",
                        1,
                        (page, keys) -> key(unsigned(keys), 1)
                                .put("status", "revoked")
                                .put("revocationReason", "compromise")
                                .put("compromisedSince", "2026-11-21T09:00:00.000000Z")),
                edited("another row than a receipt says", 3, (page, keys) -> {}, "--receipt", "3:" + HEAD),
                edited("a head rolled back", 5, (page, keys) -> head(page).put("seq", 5)),
                edited(
                        "a head issued again by nobody",
                        6,
                        (page, keys) -> head(page).put("issuedAt", "2026-11-21T10:00:06.000000Z")),
                edited("an old head", 6, (page, keys) -> {}, "--issued-since", "2026-11-21T10:00:05.000001Z"));
    }

    private String tampered(Script script, Tampering change) throws Exception {
        ObjectNode page = (ObjectNode) JSON.readTree(TestJson.file("vectors/events.json"));
        ObjectNode keys = (ObjectNode) JSON.readTree(TestJson.file("vectors/signing-keys.json"));
        String events = change.edit.apply(page, keys);
        return run(script, events, keys.toString(), change.options);
    }

    private String run(Script script, String events, String keys, String... options) throws Exception {
        assumeTrue(THERE.contains(script), () -> script.missing());
        Path page = Files.writeString(directory.resolve("events.json"), events);
        Path manifest = Files.writeString(directory.resolve("signing-keys.json"), keys);
        List<String> command = new ArrayList<>(List.of(script.program.split(" ")));
        command.addAll(List.of(
                TestJson.docs().resolve("verify").resolve(script.file).toString(),
                page.toString(),
                manifest.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(said.startsWith("ok ") ? 0 : 1);
        assertThat(said).endsWith("\n");
        return said.substring(0, said.length() - 1);
    }

    private static Tampering edited(String name, int seq, BiConsumer<ObjectNode, ObjectNode> edit, String... options) {
        return new Tampering(
                name,
                seq,
                (page, keys) -> {
                    edit.accept(page, keys);
                    return page.toString();
                },
                options);
    }

    private static Tampering raw(String name, int seq, UnaryOperator<String> edit) {
        return new Tampering(name, seq, (page, keys) -> edit.apply(page.toString()));
    }

    private static String twoPages(String text) {
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

    private static ArrayNode rows(ObjectNode page) {
        return page.withArray("events");
    }

    private static ObjectNode row(ObjectNode page, int seq) {
        return (ObjectNode) rows(page).get(seq - 1);
    }

    private static ObjectNode payload(ObjectNode page, int seq) {
        return (ObjectNode) row(page, seq).get("payload");
    }

    private static ObjectNode head(ObjectNode page) {
        return (ObjectNode) page.get("head");
    }

    private static ObjectNode key(ObjectNode keys, int place) {
        return (ObjectNode) keys.withArray("keys").get(place);
    }

    /** A manifest whose signature a man in the middle has taken away. */
    private static ObjectNode unsigned(ObjectNode keys) {
        keys.remove("signature");
        return keys;
    }

    private static void upper(ObjectNode row, String member) {
        row.put(member, row.get(member).textValue().toUpperCase(Locale.ROOT));
    }

    private static void signature(ObjectNode page, int seq, UnaryOperator<String> edit) {
        row(page, seq)
                .put("signature", edit.apply(row(page, seq).get("signature").textValue()));
    }

    /** A change to the vectors and the row at which it shows, 0 when it does not. */
    private record Tampering(String name, int seq, Edit edit, String... options) {}

    private interface Edit {
        String apply(ObjectNode page, ObjectNode keys);
    }

    enum Script {
        NODE("node", "verify.mjs", "node", "--version"),
        /** What the console does in the browser. */
        CONSOLE("node", "../../policy-adapters-http/src/test/console/verify-chain.mjs", "node", "--version"),
        PYTHON("python3", "verify.py", "python3", "--version"),
        /** Without the packages of the machine, and so with its own arithmetic. */
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
