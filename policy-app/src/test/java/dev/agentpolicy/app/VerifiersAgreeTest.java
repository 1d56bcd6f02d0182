package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.app.Verifiers.Said;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.chain.TestChain;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The five verifiers accept the same types and forms: those of docs/verify/forms.txt. {@code -Dvectors.forms=write} writes
 * docs/vectors/forms. The verifier for the shell takes longest: each build runs it on some cases drawn by the seed, and
 * {@code -Plong} on all.
 */
@Tag("slow")
class VerifiersAgreeTest {
    private static final Path DOCS = TestJson.docs();
    private static final Path VECTORS = DOCS.resolve("vectors/forms");
    /** One value of so many is tried, at random. */
    private static final int ONE_IN = ExperimentSettings.times("verify.one-in", 8, 1);

    private static final int SHELLS_SHARE = ExperimentSettings.times("verify.shells-share", 60, 1);
    private static final Random RANDOM = new Random(ExperimentSettings.seed(VerifiersAgreeTest.class));

    @TempDir
    private Path folder;

    @Test
    void the_table_of_forms_stands_in_every_verifier_that_is_a_script() throws IOException {
        String table = Files.readString(DOCS.resolve("verify/forms.txt"));

        for (String script : List.of(
                "verify/verify.mjs",
                "verify/verify.py",
                "verify/verify.sh",
                "../policy-adapters-http/src/main/resources/console/proof/canonical.js")) {
            assertThat(DOCS.resolve(script)).content().as(script).contains(table);
        }
    }

    @Test
    void the_written_vectors_are_those_that_are_made() throws IOException {
        Map<String, byte[]> made = FormVectors.files();
        if ("write".equals(System.getProperty("vectors.forms"))) {
            Files.createDirectories(VECTORS);
            for (Map.Entry<String, byte[]> file : made.entrySet()) {
                Files.write(VECTORS.resolve(file.getKey()), file.getValue());
            }
        }

        for (Map.Entry<String, byte[]> file : made.entrySet()) {
            assertThat(VECTORS.resolve(file.getKey())).hasBinaryContent(file.getValue());
        }
        try (Stream<Path> there = Files.list(VECTORS)) {
            assertThat(there.map(path -> path.getFileName().toString())).allMatch(made::containsKey);
        }
    }

    @Test
    void five_verifiers_give_one_verdict_on_every_vector() throws Exception {
        SoftAssertions all = new SoftAssertions();
        for (JsonNode vector :
                SignedPages.JSON.readTree(VECTORS.resolve("forms.json").toFile())) {
            String name = vector.get("name").textValue();
            List<String> options = new ArrayList<>();
            vector.path("options").forEach(option -> options.add(option.textValue()));
            List<Said> said = said(
                    VECTORS.resolve(vector.get("events").textValue()),
                    VECTORS.resolve(vector.get("keys").textValue()),
                    options);
            for (Said each : said) {
                all.assertThat(each.code())
                        .as(name + ": " + each)
                        .isEqualTo(vector.get("code").intValue());
            }
            sameLine(all, name, said);
        }
        all.assertAll();
    }

    /** Members one by one, an eighth of the forms in each build: missing, null, of another type, in an array, and one too many. */
    @Test
    void five_verifiers_agree_on_every_member_of_the_table() throws Exception {
        Map<String, String> rotation = Map.of("rotation", "/events/4/payload");
        Map<String, String> story = Map.of(
                "row", "/events/1",
                "head", "/head",
                "passkey", "/events/0/payload",
                "EdDSA", "/events/0/payload/publicKey",
                "accepted", "/events/3/payload/attestation",
                "attested", "/events/3/payload/attestation/attested",
                "assertion", "/events/3/payload/attestation/passkey");
        String signedTogether = "/events/4/payload/attestation/attested";
        Map<String, String> together = Map.of("together", signedTogether, "request", signedTogether + "/requests/0");
        Map<String, String> changed = Map.of(
                "confirmed", "/events/2/payload",
                "signed", "/events/2/payload/confirmation",
                "change", "/events/2/payload/confirmation/attested");
        Map<String, String> keys =
                Map.of("manifest", "", "scheme", "/scheme", "signer", "/keys/0", "sealed", "/signature");
        SoftAssertions all = new SoftAssertions();
        for (String line : Files.readAllLines(DOCS.resolve("verify/forms.txt"))) {
            String[] parts = line.split(" +: ");
            if (parts.length == 2) {
                String object = parts[0].strip();
                List<String> members = new ArrayList<>(Arrays.asList(parts[1].split(" ")));
                members.add("extra?:any");
                for (String member : members) {
                    members(all, member, story.get(object), FormVectors.STORY, FormVectors.KEYS, false);
                    members(all, member, changed.get(object), FormVectors.CHANGED, FormVectors.KEYS, false);
                    members(all, member, keys.get(object), FormVectors.KEYS, FormVectors.STORY, true);
                    members(
                            all,
                            member,
                            rotation.get(object),
                            vector("events.json"),
                            vector("signing-keys.json"),
                            false);
                    members(
                            all,
                            member,
                            together.get(object),
                            vector("passkeys/genuine-together/events.json"),
                            vector("passkeys/genuine-together/signing-keys.json"),
                            false);
                    if (object.startsWith("erasure")) {
                        String folder = object.equals("erasure") ? "erased/" : "erased-account/";
                        members(
                                all,
                                member,
                                "/erasures/0",
                                vector(folder + "events.json"),
                                vector(folder + "signing-keys.json"),
                                false);
                    }
                }
            }
        }
        all.assertAll();
    }

    @Test
    void all_accept_a_chain_after_300_rotations_whose_manifest_is_longer_than_64_kib() throws Exception {
        List<TestKey> keys = IntStream.rangeClosed(0, 300)
                .mapToObj(i -> TestKey.of(String.format("%064x", 0x1000 + i)))
                .toList();
        List<SigningKey> published = new ArrayList<>(List.of(TestKey.ANCHOR.active(Purpose.ANCHOR, TestChain.START)));
        for (int i = 0; i < keys.size(); i++) {
            SigningKey key = keys.get(i).active(Purpose.EVENT, TestChain.START);
            SigningKey attested = i == 0 ? key : key.attestedBy(keys.get(i - 1).keyId(), keys.get(i - 1)::sign);
            published.add(i == 300 ? attested : attested.retired(TestChain.START.plusSeconds(i)));
        }
        SigningKeyManifest manifest = SigningKeyManifest.of("policy.example/agent/v1", published)
                .signed(TestKey.ANCHOR.keyId(), TestKey.ANCHOR::sign);
        StringBuilder rows = new StringBuilder();
        for (PolicyEvent row : TestChain.ofRotations(keys).rows()) {
            RowJson.append(rows.append(rows.length() == 0 ? '[' : ','), row);
        }
        Path page = Files.writeString(
                folder.resolve("events.json"), rows.append(']').toString());
        Path file = Files.writeString(
                folder.resolve("keys.json"),
                SignedPages.JSON.valueToTree(manifest.tree()).toString());
        assertThat(Files.size(file)).isGreaterThan(128 * 1024);

        List<Said> said = said(page, file, List.of());

        assertThat(said).hasSizeGreaterThan(1).allMatch(each -> each.line().startsWith("ok 300 rows, "));
    }

    private static ObjectNode vector(String file) {
        return SignedPages.read(FormVectors.VECTORS.resolve(file));
    }

    private void members(
            SoftAssertions all, String member, String object, ObjectNode root, ObjectNode other, boolean isManifest)
            throws Exception {
        if (object == null || member.equals("...")) {
            return;
        }
        String[] parts = member.split(":", 2);
        String pointer = object + "/" + parts[0].replace("?", "");
        for (String value : List.of("", "null", "7", "true", "\"x\"", "{}", "[" + root.at(pointer) + "]", "[]")) {
            if (RANDOM.nextInt(ONE_IN) > 0
                    || value.equals("[]") && root.at(pointer).isMissingNode()) {
                continue;
            }
            ObjectNode edited = root.deepCopy();
            FormVectors.set(edited, pointer, value.equals("[]") ? "[" + "]" : value.replace("[]", "[null]"));
            ObjectNode signed = isManifest ? SignedPages.signed(edited) : SignedPages.signed(edited, true);
            if (!signed.at(pointer).isTextual()) {
                FormVectors.set(signed, pointer, value.replace("[]", "[null]"));
            }
            Path events = Files.writeString(folder.resolve("events.json"), (isManifest ? other : signed).toString());
            Path keys = Files.writeString(folder.resolve("keys.json"), (isManifest ? signed : other).toString());
            List<Said> said = said(events, keys, List.of());
            String name = pointer + " = " + value;
            boolean mayBeNull = parts[1].endsWith("|null") || parts[0].endsWith("?");
            boolean isWrong = value.equals("true") && !parts[1].matches("true|any")
                    || value.startsWith("[") && !parts[1].matches("any|\\[.*")
                    || value.equals("null") && !mayBeNull
                    || value.isEmpty() && !parts[0].endsWith("?") && !isMark(pointer);
            if (isWrong) {
                all.assertThat(said.get(0).code()).as(name + ": " + said.get(0)).isEqualTo(1);
            }
            sameLine(all, name, said);
        }
    }

    /** Whether a row has this form because of a member: without it, nobody signed the version. */
    private static boolean isMark(String pointer) {
        return pointer.endsWith("/payload/confirmation");
    }

    /** Exit codes are the same, and so is the line of a chain that holds. */
    static void sameLine(SoftAssertions all, String name, List<Said> said) {
        TreeSet<String> verdicts = new TreeSet<>();
        said.forEach(each -> verdicts.add(verdictClass(each)));
        all.assertThat(verdicts).as(name + ": " + said).hasSize(1);
    }

    static String verdictClass(Said said) {
        return switch (said.code()) {
            case 0, 3 -> said.code() + " " + said.verdict();
            case 1 -> said.line().startsWith("broken at seq ") ? "1 broken" : "1 ended: " + said.line();
            default -> String.valueOf(said.code());
        };
    }

    private static List<Said> said(Path events, Path keys, List<String> options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(events.toString(), keys.toString()));
        arguments.addAll(options);
        List<Said> said = new ArrayList<>(List.of(Verifiers.command(arguments)));
        if (Shell.has("node")) {
            said.add(Verifiers.oneOfMany("node verify.mjs", arguments));
            if (options.isEmpty()) {
                said.add(Verifiers.console(arguments));
            }
        }
        if (Shell.has("python3")) {
            said.add(Verifiers.oneOfMany("python3 verify.py", arguments));
        }
        if (RANDOM.nextInt(SHELLS_SHARE) == 0 && Verifiers.ALL.absent().isEmpty()) {
            said.add(Verifiers.script("sh verify.sh", arguments));
        }
        return said;
    }
}
