package dev.agentpolicy.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.ScriptRunner;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The verifiers of docs/verify, which share no code with the service, have the documented verdicts. */
@Tag("slow")
class VerifyScriptsTest extends ScriptRunner {
    @ParameterizedTest
    @EnumSource
    void the_vectors_are_accepted(Script script) throws Exception {
        for (String folder : List.of("vectors", "vectors/emergency")) {
            String events = TestJson.file(folder + "/events.json");
            String last = (String) ((Document) TestJson.object(events).get("head")).get("hash");

            assertThat(run(
                            script,
                            events,
                            TestJson.file(folder + "/signing-keys.json"),
                            "--pin",
                            KEY,
                            "--root",
                            TestKey.ROOT.keyId()))
                    .matches("ok [56] rows, head " + last + "(, 1 erased)?");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "PYTHON_ALONE", mode = EnumSource.Mode.EXCLUDE)
    void harmless_changes_are_accepted(Script script) throws Exception {
        for (Tampering change : harmless()) {
            assertThat(tampered(script, change)).as(change.name()).isEqualTo("ok 6 rows, head " + HEAD);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "PYTHON_ALONE", mode = EnumSource.Mode.EXCLUDE)
    void tampering_is_found(Script script) throws Exception {
        List<Tampering> changes = new ArrayList<>(harmfulWhereParsersDiffer());
        if (script == Script.NODE || script == Script.CONSOLE || ALL) {
            changes.addAll(harmful());
        }
        if (script == Script.SHELL && !ALL) {
            Collections.shuffle(changes, new Random(ExperimentSettings.seed(VerifyScriptsTest.class)));
            changes.subList(changes.size() / 3, changes.size()).clear();
        }
        for (Tampering change : changes) {
            assertThat(tampered(script, change)).as(change.name()).startsWith("broken at seq " + change.seq() + ": ");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "PYTHON_ALONE", mode = EnumSource.Mode.EXCLUDE)
    void an_emergency_that_the_holder_of_a_stolen_key_could_declare_is_refused(Script script) throws Exception {
        String events = TestJson.file("vectors/emergency/events.json");
        ObjectNode keys = (ObjectNode) JSON.readTree(TestJson.file("vectors/emergency/signing-keys.json"));
        String refused = "broken at seq 4: the new key of an emergency is not attested by the root key that was given";

        assertThat(run(script, events, keys.toString()))
                .isEqualTo(
                        "broken at seq 4: the key rotation is an emergency, and no root key was given to vouch for it");
        assertThat(run(script, events, keys.toString(), "--root", TestKey.STRANGER.keyId()))
                .isEqualTo(refused);
        keys.withArray("keys").forEach(key -> ((ObjectNode) key).putArray("attestations"));
        assertThat(run(script, events, signedAgain(keys).toString(), "--root", TestKey.ROOT.keyId()))
                .isEqualTo(refused);
    }

    private static List<Tampering> harmless() {
        return List.of(
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

    /** Changes that test the JSON reader, text forms and options of each language, and one attack of each kind. */
    private static List<Tampering> harmfulWhereParsersDiffer() {
        return List.of(
                edited("a payload edited", 3, (page, keys) -> payload(page, 3).put("amountUsd", "1")),
                edited("a row deleted", 4, (page, keys) -> rows(page).remove(2)),
                edited(
                        "a row inserted",
                        3,
                        (page, keys) -> rows(page).insert(3, row(page, 3).deepCopy())),
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
                edited("a decimal number", 1, (page, keys) -> payload(page, 3).put("ipsVersion", 1.5)),
                raw("a lone surrogate", 1, text -> text.replaceFirst("\"cashFloorUsd\"", "\"l\": \"\\\\ud800\", $0")),
                raw("a member twice", 1, text -> text.replaceFirst("\"ipsVersion\"", "\"ipsVersion\": 2, $0")),
                edited(
                        "another key under a known id",
                        1,
                        (page, keys) -> key(keys, 1).put("x", TestKey.STRANGER.x())),
                edited("an edited manifest", 1, (page, keys) -> key(keys, 1).put("status", "active")),
                edited("a manifest of somebody else", 1, (page, keys) -> {
                    key(keys, 1).put("x", TestKey.STRANGER.x()).put("kid", TestKey.STRANGER.keyId());
                    signedAgain(keys);
                }),
                edited("a manifest without its signature", 1, (page, keys) -> keys.remove("signature")),
                edited("a key listed twice", 1, (page, keys) -> {
                    keys.withArray("keys").add(key(keys, 1).deepCopy());
                    signedAgain(keys);
                }),
                edited(
                        "a payload set to null by hand",
                        3,
                        (page, keys) -> row(page, 3).putNull("payload")),
                edited(
                        "a row signed again by another key",
                        3,
                        (page, keys) -> signedAgain(page, 3, KEY, TestKey.STRANGER)),
                edited("a row of another key that is in the manifest", 3, (page, keys) -> {
                    keys.withArray("keys")
                            .add(key(keys, 1)
                                    .deepCopy()
                                    .put("x", TestKey.STRANGER.x())
                                    .put("kid", TestKey.STRANGER.keyId()));
                    signedAgain(keys);
                    signedAgain(page, 3, TestKey.STRANGER.keyId(), TestKey.STRANGER);
                }),
                edited(
                        "rolled back and written on",
                        3,
                        (page, keys) -> {
                            page.remove("head");
                            List.of(5, 4, 3).forEach(place -> rows(page).remove((int) place));
                            row(page, 3).put("eventId", "00000000-0000-4000-8000-000000000003");
                            signedAgain(page, 3, KEY, TestKey.ONE);
                        },
                        "--receipt",
                        "3:06b2856f81afb1e1f41ad312877510f196ebcd23aa32ff24899c318deb0ffa33"),
                edited("a real key in the sandbox", 1, (page, keys) -> {}, "--purpose", "sandbox"),
                edited("a head rolled back", 5, (page, keys) -> head(page).put("seq", 5)),
                edited("rows cut off", 6, (page, keys) -> rows(page).remove(5), "--receipt", "6:" + HEAD),
                edited(
                        "a head of another history",
                        6,
                        (page, keys) -> head(page).put("hash", "0".repeat(64))));
    }

    /** Changes that are found by code that all languages share. */
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
                edited("a number too large", 1, (page, keys) -> payload(page, 3).put("ipsVersion", 9007199254740993L)),
                edited("another version", 1, (page, keys) -> row(page, 1).put("v", 2)),
                edited("an erased rotation", 5, (page, keys) -> row(page, 5).putNull("payload")),
                edited("a key missing", 5, (page, keys) -> {
                    keys.withArray("keys").remove(2);
                    signedAgain(keys);
                }),
                edited("a key of the sandbox", 1, (page, keys) -> {
                    key(keys, 1).put("purpose", "sandbox");
                    signedAgain(keys);
                }),
                edited("another first key than pinned", 1, (page, keys) -> {}, "--pin", TestKey.TWO.keyId()),
                edited("a lost key", 1, (page, keys) -> {
                    key(keys, 1)
                            .put("status", "revoked")
                            .put("revokedAt", "2026-11-21T09:00:00.000000Z")
                            .put("revocationReason", "compromise")
                            .put("compromisedSince", "2026-11-21T09:00:00.000000Z");
                    signedAgain(keys);
                }),
                edited("another row than a receipt says", 3, (page, keys) -> {}, "--receipt", "3:" + HEAD),
                edited(
                        "a head issued again by nobody",
                        6,
                        (page, keys) -> head(page).put("issuedAt", "2026-11-21T10:00:06.000000Z")),
                edited("an old head", 6, (page, keys) -> {}, "--issued-since", "2026-11-21T10:00:05.000001Z"));
    }
}
