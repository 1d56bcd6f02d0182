package dev.agentpolicy.domain.event.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Laws of the canonical form over random documents. A failure names the seed of its document. */
class CanonicalFormLawsTest {
    private static final int DOCUMENTS = 2_000;
    private static final String NAMES = "abcXYZ019_";
    private static final String TEXTS = "aZ09 \"\\/{}[]:,é\u0080\u00ff\u2028\u2029\ufeff\uffff";

    @Test
    void an_independent_canonicaliser_makes_the_same_text() {
        forEachDocument(members -> {
            String ours = CanonicalForm.write(members);
            assertThat(TestJson.canonical(ours)).isEqualTo(ours);
            assertThat(TestJson.canonical(loosely(members))).isEqualTo(ours);
        });
    }

    @ParameterizedTest
    @EnumSource
    void another_language_makes_the_same_text(Language language) throws Exception {
        assumeTrue(language.isThere(), () -> language + " is not installed");
        List<String> ours = new ArrayList<>();
        List<String> loose = new ArrayList<>();
        forEachDocument(members -> {
            ours.add(CanonicalForm.write(members));
            loose.add(loosely(members).replace('\n', ' '));
        });

        List<String> theirs = language.canonical(loose);
        assertThat(theirs).hasSameSizeAs(ours);
        for (int i = 0; i < ours.size(); i++) {
            assertThat(theirs.get(i)).describedAs("seed " + (i + 1)).isEqualTo(ours.get(i));
        }
    }

    /** Languages whose JSON writer agrees with RFC 8785 within the profile if names are sorted. */
    enum Language {
        NODE("node", "-e", """
                const form = (v) => Array.isArray(v) ? `[${v.map(form)}]`
                  : v && typeof v === 'object'
                    ? `{${Object.keys(v).sort().map((n) => `${JSON.stringify(n)}:${form(v[n])}`)}}` : JSON.stringify(v);
                const lines = require('fs').readFileSync(0, 'utf8').trimEnd().split('\\n');
                process.stdout.write(lines.map((line) => form(JSON.parse(line))).join('\\n'));"""),
        PYTHON("python3", "-c", """
                import json, sys
                for line in sys.stdin.buffer.read().decode('utf-8').rstrip('\\n').split('\\n'):
                    text = json.dumps(json.loads(line), sort_keys=True, separators=(',', ':'), ensure_ascii=False)
                    sys.stdout.buffer.write((text + '\\n').encode('utf-8'))""");

        private final String[] command;

        Language(String... command) {
            this.command = command;
        }

        boolean isThere() throws InterruptedException {
            try {
                return new ProcessBuilder(command[0], "--version")
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0;
            } catch (IOException absent) {
                return false;
            }
        }

        List<String> canonical(List<String> documents) throws IOException, InterruptedException {
            Path in = Files.createTempFile("documents", ".json");
            try {
                Files.write(in, documents);
                Process process = new ProcessBuilder(command)
                        .redirectInput(in.toFile())
                        .redirectErrorStream(true)
                        .start();
                String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).describedAs(text).isZero();
                return List.of((text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n"));
            } finally {
                Files.delete(in);
            }
        }
    }

    @Test
    void it_does_not_depend_on_the_order_of_members() {
        forEachDocument(members -> {
            List<String> names = new ArrayList<>(members.keySet());
            Collections.reverse(names);
            Map<String, @Nullable Object> reversed = new LinkedHashMap<>();
            names.forEach(name -> reversed.put(name, members.get(name)));
            assertThat(CanonicalForm.write(reversed)).isEqualTo(CanonicalForm.write(members));
        });
    }

    @Test
    void it_is_read_and_written_again_byte_for_byte() {
        forEachDocument(members -> {
            String text = CanonicalForm.write(members);
            assertThat(CanonicalForm.write(CanonicalForm.read(text))).isEqualTo(text);
            assertThat(CanonicalForm.isCanonical(text)).isTrue();
        });
    }

    @Test
    void a_text_changed_anywhere_is_refused_or_is_another_canonical_text() {
        forEachDocument(members -> {
            Random random = new Random(members.hashCode());
            String text = CanonicalForm.write(members);
            StringBuilder changed = new StringBuilder(text);
            changed.setCharAt(random.nextInt(text.length()), TEXTS.charAt(random.nextInt(TEXTS.length())));
            try {
                assertThat(CanonicalForm.write(CanonicalForm.read(changed.toString())))
                        .isEqualTo(changed.toString());
                assertThat(CanonicalForm.isCanonical(changed.toString())).isTrue();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageStartingWith("Not canonical");
                assertThat(CanonicalForm.isCanonical(changed.toString()))
                        .describedAs(changed.toString())
                        .isFalse();
            }
        });
    }

    @Test
    void one_value_outside_of_the_profile_anywhere_refuses_the_whole_document() {
        List<Object> strange = List.of(0.5, Double.NaN, "\uD800", "\u0001", Long.MAX_VALUE, new Object(), 'c');
        forEachDocument(members -> {
            Random random = new Random(members.hashCode());
            Map<String, @Nullable Object> spoilt = new LinkedHashMap<>(members);
            spoilt.put("q", List.of(Map.of("r", strange.get(random.nextInt(strange.size())))));
            assertThat(catching(() -> CanonicalForm.write(spoilt))).isInstanceOf(IllegalArgumentException.class);
        });
    }

    private static void forEachDocument(Consumer<Map<String, @Nullable Object>> law) {
        for (long seed = 1; seed <= DOCUMENTS; seed++) {
            try {
                law.accept(object(new Random(seed), 1));
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("The document of seed " + seed + " breaks the law.", broken);
            }
        }
    }

    private static @Nullable Throwable catching(Runnable action) {
        try {
            action.run();
            return null;
        } catch (RuntimeException thrown) {
            return thrown;
        }
    }

    private static Map<String, @Nullable Object> object(Random random, int depth) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            members.put("aB".charAt(random.nextInt(2)) + text(random, NAMES, 4), value(random, depth));
        }
        return members;
    }

    private static @Nullable Object value(Random random, int depth) {
        switch (random.nextInt(depth < 5 ? 7 : 5)) {
            case 0:
                return null;
            case 1:
                return random.nextBoolean();
            case 2:
                return random.nextInt();
            case 3:
                return random.nextLong() >> (11 + random.nextInt(40));
            case 4:
                return text(random, TEXTS, 12) + (random.nextBoolean() ? "\uD83D\uDE00" : "");
            case 5:
                List<@Nullable Object> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(value(random, depth + 1));
                }
                return items;
            default:
                return object(random, depth + 1);
        }
    }

    private static String text(Random random, String alphabet, int maxLength) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(maxLength); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    /** The same document as other JSON: with blanks, escapes and unsorted members. */
    private static String loosely(@Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            List<String> texts = new ArrayList<>();
            members.forEach((name, member) -> texts.add(" \"" + name + "\" : " + loosely(member)));
            return "{" + String.join(",\n", texts) + " }";
        } else if (value instanceof List<?> items) {
            return "[ "
                    + String.join(
                            " , ",
                            items.stream().map(CanonicalFormLawsTest::loosely).toList()) + "]";
        } else if (value instanceof String text) {
            StringBuilder escaped = new StringBuilder("\"");
            text.chars().forEach(c -> escaped.append(String.format("\\u%04x", c)));
            return escaped.append('"').toString();
        }
        return String.valueOf(value);
    }
}
