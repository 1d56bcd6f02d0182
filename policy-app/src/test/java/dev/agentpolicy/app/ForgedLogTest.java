package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.app.Verifiers.Said;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Chains forged without a key of the service, and payloads hidden as if erased, checked by every verifier with every
 * combination of trusted keys (docs/verify.md). The attacks are those of docs/vectors/attacks.
 */
@Tag("slow")
class ForgedLogTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path VECTORS = Path.of("../docs/vectors");
    private static final Path ATTACKS = VECTORS.resolve("attacks");
    private static final int SAVED_ROWS = 3;

    /**
     * Which verifiers check an attack. In every build the command checks all combinations of options, and the scripts,
     * each of which is a process, those with no option, with one and with all of them; the script for the shell, which
     * starts hundreds of programs, none and all of them. With {@code -Plong} every verifier checks every combination.
     */
    private enum Checkers {
        COMMAND,
        FAST,
        ALL;

        static Checkers of(boolean isAboutKeys, int known) {
            boolean isNoneOrAll = known == 0 || known == COMBINATIONS - 1;
            if (isNoneOrAll || IS_LONG) {
                return ALL;
            }
            return isAboutKeys && Integer.bitCount(known) == 1 ? FAST : COMMAND;
        }
    }

    private static final boolean IS_LONG = ExperimentSettings.times(0, 1) == 1;

    /** Trust options, as bits of a combination. */
    private static final int PIN = 1;

    private static final int ANCHOR = 2;
    private static final int ROOT = 4;
    private static final int SAVED = 8;
    private static final int COMBINATIONS = 16;

    private static final Instant MADE = Instant.parse("2026-11-01T00:00:00Z");
    private static final SigningKey EVENT = TestKey.ONE.active(Purpose.EVENT, MADE);
    private static final SigningKey OLD_ANCHOR = TestKey.ANCHOR.active(Purpose.ANCHOR, MADE);
    private static final SigningKey NEW_ANCHOR = TestKey.STRANGER.active(Purpose.ANCHOR, MADE);
    private static final SigningKey ROOT_KEY = TestKey.ROOT.active(Purpose.ROOT, MADE);

    @TempDir
    private Path folder;

    static Stream<Arguments> attacks() throws IOException {
        List<Arguments> attacks = new ArrayList<>();
        for (JsonNode attack : JSON.readTree(ATTACKS.resolve("attacks.json").toFile())) {
            attacks.add(Arguments.of(attack.get("name").textValue(), attack));
        }
        return attacks.stream();
    }

    @Test
    void a_number_is_written_in_one_way_only() throws Exception {
        Path genuine = ATTACKS.resolve("genuine");
        String events = Files.readString(genuine.resolve("events.json"))
                .replace("\"v\" : 1,", "\"v\" : 1.0,")
                .replace("\"seq\" : 2,", "\"seq\" : 20e-1,");

        assertThat(events).contains("1.0,", "20e-1,");
        assertThat(Verifiers.ALL.verdicts(folder, events, Files.readString(genuine.resolve("signing-keys.json"))))
                .allMatch(verdict -> verdict.startsWith("broken at seq 1: "));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void no_attack_passes_any_verifier_with_any_options(String name, JsonNode attack) throws Exception {
        int brokenAt = attack.get("brokenAt").intValue();
        boolean isAboutKeys = name.startsWith("forged") || name.startsWith("manifest") || name.startsWith("sandbox");
        for (int known = 0; known < COMBINATIONS; known++) {
            boolean isVerifiedBefore = has(known, SAVED) && !isAboutKeys && brokenAt <= SAVED_ROWS;
            if (!isVerifiedBefore) {
                for (Said said : said(ATTACKS.resolve(name), known, Checkers.of(isAboutKeys, known))) {
                    assertRefused(attack, known, said);
                }
            }
        }
    }

    private static void assertRefused(JsonNode attack, int known, Said said) {
        String described = attack.get("name") + " with " + known + ": " + said;
        JsonNode forgedAnchor = attack.get("unlessAnchorIsKnown");
        boolean isAnchorKnown = has(known, ANCHOR) || has(known, SAVED);
        if (forgedAnchor != null && !isAnchorKnown && said.code() == 0) {
            assertThat(said.line())
                    .describedAs(described)
                    .contains("trusted on first use: anchor key " + forgedAnchor.textValue());
            return;
        }
        assertThat(said.code()).describedAs(described).isEqualTo(1);
        assertThat(said.line())
                .describedAs(described)
                .matches("broken at seq (1|" + attack.get("brokenAt") + "): .* \\[.+]");
    }

    @Test
    void the_genuine_chain_passes_all_of_them_with_the_same_words() throws Exception {
        for (int known = 0; known < COMBINATIONS; known++) {
            List<Said> said = said(ATTACKS.resolve("genuine"), known, Checkers.of(true, known));

            assertThat(said).describedAs("with " + known).allMatch(it -> it.code() == 0);
            assertThat(said.stream()
                            .filter(it -> !it.verifier().equals("console"))
                            .map(Said::line)
                            .distinct())
                    .hasSize(1);
            assertThat(said.get(0).line()).startsWith("ok 5 rows, head ").contains(named(known));
        }
    }

    /** The words that name the keys of a combination. */
    private static String[] named(int known) {
        List<String> named = new ArrayList<>();
        String event = "event key " + TestKey.ONE.keyId();
        String anchor = "anchor key " + TestKey.ANCHOR.keyId();
        named.add(has(known, PIN) ? "pinned: " + event : has(known, SAVED) ? "saved: " + event : event + "]");
        named.add(anchor);
        named.add(
                (has(known, PIN) || has(known, SAVED)) && (has(known, ANCHOR) || has(known, SAVED))
                        ? "["
                        : "trusted on first use: ");
        named.add(has(known, ROOT) ? "root key " + TestKey.ROOT.keyId() : "key");
        return named.toArray(String[]::new);
    }

    @Test
    void erased_rows_with_evidence_are_counted_and_end_with_3() throws Exception {
        for (String vectors : List.of("erased", "erased-account")) {
            List<Said> said = said(VECTORS.resolve(vectors), 0, Checkers.ALL);
            String count = vectors.equals("erased") ? "1" : "5";

            assertThat(said)
                    .allMatch(it -> it.code() == 3)
                    .allMatch(it -> it.verdict().matches("ok 5 rows, head [0-9a-f]{64}, " + count + " erased"));
        }
    }

    @Test
    void a_saved_state_is_never_continued_with_a_forged_tail() throws Exception {
        for (String state : List.of(
                Files.readString(ATTACKS.resolve("state.json")),
                Files.readString(ATTACKS.resolve("state.json"))
                        .replaceFirst("\"anchorKeyId\":\"[^\"]*\"", "\"anchorKeyId\":null"))) {
            for (String verifier : verifiers()) {
                Path save = Files.writeString(folder.resolve("state"), state);
                Said said =
                        run(verifier, files(ATTACKS.resolve("forged-emergency")), List.of("--save", save.toString()));

                assertThat(said.code()).describedAs(said.toString()).isEqualTo(1);
                assertThat(save).hasContent(state.strip());
            }
        }
    }

    @Test
    void a_manifest_of_the_forger_at_the_first_meeting_does_not_open_the_door_for_an_emergency() throws Exception {
        for (String verifier : verifiers()) {
            Path save = folder.resolve("two-steps-" + verifiers().indexOf(verifier));
            List<String> options = List.of("--pin", TestKey.ONE.keyId(), "--save", save.toString());

            Said first = run(verifier, files(ATTACKS.resolve("manifest-signed-by-another")), options);
            Said second = run(verifier, files(ATTACKS.resolve("forged-emergency")), options);

            assertThat(first.line()).contains("trusted on first use: anchor key ");
            assertThat(second.code()).describedAs(second.toString()).isEqualTo(1);
            assertThat(second.line()).containsIgnoringCase("no root key was given");
        }
    }

    @Test
    void a_state_saved_by_one_verifier_is_continued_by_another() throws Exception {
        Path genuine = ATTACKS.resolve("genuine");
        for (String writer : verifiers()) {
            Path save = folder.resolve("state-" + verifiers().indexOf(writer));
            Said first =
                    run(writer, files(genuine), List.of("--save", save.toString(), "--root", TestKey.ROOT.keyId()));
            assertThat(first.code()).describedAs(first.toString()).isZero();
            String state = Files.readString(save);
            for (String reader : verifiers()) {
                Said said = run(reader, files(genuine), List.of("--save", save.toString()));

                assertThat(said.code()).describedAs(writer + " then " + said).isZero();
                assertThat(said.line())
                        .endsWith(" [saved: event key " + TestKey.ONE.keyId() + ", anchor key " + TestKey.ANCHOR.keyId()
                                + ", root key " + TestKey.ROOT.keyId() + "]");
                assertThat(save).hasContent(state.strip());
            }
        }
    }

    @Test
    void a_new_anchor_key_holds_if_a_known_key_vouches_for_it() throws Exception {
        SigningKey byOld = NEW_ANCHOR.attestedBy(OLD_ANCHOR.kid(), TestKey.ANCHOR::sign);
        SigningKey byRoot = NEW_ANCHOR.attestedBy(ROOT_KEY.kid(), TestKey.ROOT::sign);
        SigningKey byEvent = NEW_ANCHOR.attestedBy(EVENT.kid(), TestKey.ONE::sign);
        String refused = "signed by another key than the anchor key that is known";
        String vouched = "anchor key " + NEW_ANCHOR.kid();

        assertThat(manifest(byOld, OLD_ANCHOR, "--anchor", OLD_ANCHOR.kid()))
                .allMatch(said -> said.contains("attested by " + OLD_ANCHOR.kid() + ": " + vouched));
        assertThat(manifest(byRoot, OLD_ANCHOR, "--anchor", OLD_ANCHOR.kid(), "--root", ROOT_KEY.kid()))
                .allMatch(said -> said.contains("attested by " + ROOT_KEY.kid() + ": " + vouched));
        assertThat(manifest(byRoot, OLD_ANCHOR, "--anchor", OLD_ANCHOR.kid())).allMatch(said -> said.contains(refused));
        assertThat(manifest(byEvent, OLD_ANCHOR, "--anchor", OLD_ANCHOR.kid()))
                .allMatch(said -> said.contains(refused));
        assertThat(manifest(byOld, OLD_ANCHOR.compromised(MADE, MADE), "--anchor", OLD_ANCHOR.kid()))
                .allMatch(said -> said.contains(refused));
        assertThat(manifest(NEW_ANCHOR, OLD_ANCHOR, "--anchor", OLD_ANCHOR.kid()))
                .allMatch(said -> said.contains(refused));
    }

    @Test
    void once_a_new_anchor_key_was_accepted_the_old_one_no_longer_is() throws Exception {
        List<String> pages = files(ATTACKS.resolve("genuine"));
        String rotated =
                manifest(TestKey.STRANGER, NEW_ANCHOR.attestedBy(OLD_ANCHOR.kid(), TestKey.ANCHOR::sign), OLD_ANCHOR);
        String stale =
                manifest(TestKey.ANCHOR, NEW_ANCHOR.attestedBy(OLD_ANCHOR.kid(), TestKey.ANCHOR::sign), OLD_ANCHOR);
        for (String verifier : verifiers()) {
            Path save = folder.resolve("rotated-" + verifiers().indexOf(verifier));
            List<String> options = List.of("--anchor", OLD_ANCHOR.kid(), "--save", save.toString());
            List<String> saved = List.of("--save", save.toString());

            assertThat(run(verifier, List.of(pages.get(0), rotated), options).code())
                    .isZero();
            assertThat(run(verifier, List.of(pages.get(0), rotated), saved).line())
                    .contains("saved: event key " + EVENT.kid() + ", anchor key " + NEW_ANCHOR.kid());
            assertThat(run(verifier, List.of(pages.get(0), stale), saved).code())
                    .isEqualTo(1);
        }
    }

    @Test
    void input_that_the_verifiers_cannot_read_ends_with_2() throws Exception {
        List<String> genuine = files(ATTACKS.resolve("genuine"));
        Path junk = Files.writeString(folder.resolve("junk.json"), "[{\"events\":[}]");
        Path empty = Files.writeString(folder.resolve("empty.json"), "[]");
        Path state = Files.copy(ATTACKS.resolve("state.json"), folder.resolve("state.json"));
        String place = "3," + "0".repeat(64) + "," + TestKey.ONE.keyId() + ",2026-11-21T09:40:00.000000Z";
        for (List<String> arguments : List.of(
                List.of(genuine.get(0)),
                List.of(junk.toString(), genuine.get(1)),
                List.of(genuine.get(0), junk.toString()),
                List.of(empty.toString(), genuine.get(1)),
                List.of(genuine.get(0), folder.resolve("absent.json").toString()),
                List.of(genuine.get(0), genuine.get(1), "--unknown", "x"),
                List.of(genuine.get(0), genuine.get(1), "--anchor"),
                List.of(genuine.get(0), genuine.get(1), "--purpose", "root"),
                List.of(genuine.get(0), genuine.get(1), "--receipt", "x"),
                List.of(genuine.get(0), genuine.get(1), "--receipts", junk.toString()),
                List.of(genuine.get(0), genuine.get(1), "--head", genuine.get(1)),
                List.of(genuine.get(0), genuine.get(1), "--issued-since", "today"),
                List.of(genuine.get(0), genuine.get(1), "--from", "1,2,3,4"),
                List.of(genuine.get(0), genuine.get(1), "--from", place, "--pin", TestKey.ONE.keyId()),
                List.of(genuine.get(0), genuine.get(1), "--from", place, "--save", state.toString()),
                List.of(genuine.get(0), genuine.get(1), "--save", junk.toString()))) {
            for (String verifier : verifiers()) {
                Said said = run(verifier, arguments, List.of());
                assertThat(said.code()).describedAs(arguments + " " + said).isEqualTo(2);
            }
        }
    }

    @Test
    void json_that_readers_understand_differently_is_broken() throws Exception {
        List<String> genuine = files(ATTACKS.resolve("genuine"));
        String page = Files.readString(Path.of(genuine.get(0)));
        Path half = Files.writeString(
                folder.resolve("half.json"), page.replaceFirst("\"cashFloorUsd\"", "\"l\" : \"\\\\ud800\", $0"));
        Path twice = Files.writeString(
                folder.resolve("twice.json"), page.replaceFirst("\"cashFloorUsd\"", "\"cashFloorUsd\" : \"1\", $0"));

        for (Path events : List.of(half, twice)) {
            for (String verifier : verifiers()) {
                Said said = run(verifier, List.of(events.toString(), genuine.get(1)), List.of());
                assertThat(said.code()).describedAs(events + " " + said).isEqualTo(1);
                assertThat(said.line()).startsWith("broken at seq ");
            }
        }
    }

    /** Every verifier gets a page, receipts and kept heads. */
    @Test
    void receipts_and_kept_heads_are_held_against_the_chain_by_all_of_them() throws Exception {
        List<String> genuine = files(ATTACKS.resolve("genuine"));
        JsonNode page = JSON.readTree(Path.of(genuine.get(0)).toFile());
        Path head =
                Files.writeString(folder.resolve("head.json"), page.get("head").toString());
        String hash = page.get("head").get("hash").textValue();
        Path receipts = Files.writeString(folder.resolve("receipts"), "5:" + hash + "\n\n5 " + hash + "\n");
        ObjectNode forged = ((ObjectNode) page.get("head")).deepCopy().put("seq", 4);
        Path other = Files.writeString(folder.resolve("other.json"), forged.toString());

        for (String verifier : verifiers()) {
            assertThat(run(verifier, genuine, List.of("--receipts", receipts.toString(), "--head", head.toString()))
                            .code())
                    .isZero();
            assertThat(run(verifier, genuine, List.of("--head", other.toString()))
                            .line())
                    .containsIgnoringCase("the head that was kept is not signed by a key of this manifest");
            assertThat(run(verifier, genuine, List.of("--receipt", "5:" + hash, "--receipt", "5:" + "0".repeat(64)))
                            .line())
                    .containsIgnoringCase("broken at seq 5: Two rows were given out for this place");
        }
    }

    @Test
    void the_console_remembers_the_keys_it_has_seen_and_refuses_others() throws Exception {
        for (JsonNode attack : JSON.readTree(ATTACKS.resolve("attacks.json").toFile())) {
            Path browser = folder.resolve("browser-" + attack.get("name").textValue());
            Said first = inBrowser(browser, ATTACKS.resolve("genuine"));
            Said again = inBrowser(browser, ATTACKS.resolve("genuine"));
            Said attacked =
                    inBrowser(browser, ATTACKS.resolve(attack.get("name").textValue()));

            assertThat(first.line()).contains("trusted on first use: anchor key " + TestKey.ANCHOR.keyId());
            assertThat(again.line()).contains("remembered: anchor key " + TestKey.ANCHOR.keyId());
            assertThat(again.line()).doesNotContain("first use");
            assertThat(attacked.code()).describedAs(attacked.toString()).isEqualTo(1);
        }
    }

    @Test
    void the_console_accepts_an_emergency_once_it_was_given_the_root_key() throws Exception {
        Path browser = folder.resolve("browser");

        assertThat(inBrowser(browser, VECTORS.resolve("emergency")).line()).contains("no root key was given");
        assertThat(inBrowser(browser, VECTORS.resolve("emergency"), "--root", TestKey.ROOT.keyId())
                        .code())
                .isEqualTo(3);
        assertThat(inBrowser(browser, VECTORS.resolve("emergency")).line())
                .contains("given: root key " + TestKey.ROOT.keyId());
    }

    private Said inBrowser(Path browser, Path vectors, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(files(vectors));
        arguments.addAll(List.of("--browser", browser.toString()));
        arguments.addAll(List.of(options));
        return Verifiers.console(arguments);
    }

    /** What all of them say of the genuine chain under a manifest that the new anchor key signed. */
    private List<String> manifest(SigningKey anchor, SigningKey old, String... options) throws Exception {
        List<String> files = List.of(files(ATTACKS.resolve("genuine")).get(0), manifest(TestKey.STRANGER, anchor, old));
        List<String> lines = new ArrayList<>();
        for (String verifier : verifiers()) {
            lines.add(run(verifier, files, List.of(options)).line());
        }
        return lines;
    }

    private String manifest(TestKey by, SigningKey anchor, SigningKey old) throws IOException {
        SigningKeyManifest manifest = SigningKeyManifest.of(
                        "policy.example/agent/v1", List.of(EVENT, anchor, old, ROOT_KEY))
                .signed(by.keyId(), by::sign);
        Path file = Files.createTempFile(folder, "keys", ".json");
        return Files.writeString(file, JSON.writeValueAsString(manifest.tree())).toString();
    }

    private List<Said> said(Path vectors, int known, Checkers checkers) throws Exception {
        List<Said> said = new ArrayList<>();
        for (String verifier : verifiers()) {
            if (checkers == Checkers.ALL && Verifiers.isItsTurn(verifier)
                    || verifier.equals("verify")
                    || checkers == Checkers.FAST && !verifier.startsWith("sh ")) {
                said.add(run(verifier, files(vectors), options(known, true)));
            }
        }
        if (checkers != Checkers.COMMAND && !has(known, SAVED)) {
            List<String> arguments = new ArrayList<>(files(vectors));
            arguments.addAll(options(known, false));
            said.add(Verifiers.console(arguments));
        }
        return said;
    }

    /** The options of a combination. Each run gets a new copy of the saved state. */
    private List<String> options(int known, boolean maySave) throws IOException {
        List<String> options = new ArrayList<>();
        if (has(known, PIN)) {
            options.addAll(List.of("--pin", TestKey.ONE.keyId()));
        }
        if (has(known, ANCHOR)) {
            options.addAll(List.of("--anchor", TestKey.ANCHOR.keyId()));
        }
        if (has(known, ROOT)) {
            options.addAll(List.of("--root", TestKey.ROOT.keyId()));
        }
        if (has(known, SAVED) && maySave) {
            Path state = Files.createTempFile(folder, "state", "");
            Files.writeString(state, Files.readString(ATTACKS.resolve("state.json")));
            options.addAll(List.of("--save", state.toString()));
        }
        return options;
    }

    private static boolean has(int known, int what) {
        return (known & what) != 0;
    }

    private static List<String> files(Path vectors) {
        return List.of(
                vectors.resolve("events.json").toString(),
                vectors.resolve("signing-keys.json").toString());
    }

    /** The verifiers that can run here; the command always can. */
    private static List<String> verifiers() {
        Set<String> absent = Verifiers.ALL.absent();
        return Stream.concat(Stream.of("verify"), Verifiers.ALL.scripts().stream())
                .filter(verifier -> !absent.contains(verifier))
                .toList();
    }

    private static Said run(String verifier, List<String> files, List<String> options) throws Exception {
        List<String> arguments = new ArrayList<>(files);
        arguments.addAll(options);
        return verifier.equals("verify") ? Verifiers.command(arguments) : Verifiers.oneOfMany(verifier, arguments);
    }
}
