package dev.agentpolicy.domain.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link Document#parse} accepts exactly the JSON objects within its limits and says what is wrong with any other text.
 */
class DocumentParserTest {
    private static final ObjectMapper JACKSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    @Test
    void an_object_is_read_member_by_member() {
        Document document = Document.parse(
                        " {\"text\":\"\\u00e9\\n\\\"\\/x\" , \"number\":1.50,\"yes\":true,\"no\":false,"
                                + "\"nothing\":null,\"list\":[1,\"a\",{},[ ]],\"nested\":{\"x\":-0.1e2}}\n")
                .orElseThrow();

        assertThat(document.members().keySet())
                .containsExactly("text", "number", "yes", "no", "nothing", "list", "nested");
        assertThat(document.get("text")).isEqualTo("é\n\"/x");
        assertThat(document.get("number")).isEqualTo(new BigDecimal("1.50"));
        assertThat(document.get("yes")).isEqualTo(true);
        assertThat(document.get("no")).isEqualTo(false);
        assertThat(document.get("nothing")).isNull();
        assertThat(document.get("list")).isEqualTo(List.of(BigDecimal.ONE, "a", Document.of(Map.of()), List.of()));
        assertThat(((Document) document.get("nested")).get("x")).isEqualTo(new BigDecimal("-0.1e2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":1,"a":1}                      | a appears more than once.
            {"a":{"b":[0,{"c":1,"c":2}]}}      | a.b[1].c appears more than once.
            {"a":[[{"b":0,"b":0}]]}            | a[0][0].b appears more than once.
            {"a":1e99999999999}                | a has too many digits.
            {"a":[-1e-99999999999]}            | a[0] has too many digits.
            {"a":"\\ud800"}                    | The text has half of a surrogate pair in a string.
            {"\\udc00x":1}                     | The text has half of a surrogate pair in a string.
            {"a":"\\ud800x\\udc00"}            | The text has half of a surrogate pair in a string.
            {} {}                              | The text has characters after its JSON object.
            {"a":1}}                           | The text has characters after its JSON object.
            []                                 | The text must be a JSON object.
            ``                                 | The text must be a JSON object.
            null                               | The text must be a JSON object.
            {"a":1,}                           | The text is not valid JSON: expected " at character 8.
            {"a" 1}                            | The text is not valid JSON: expected : at character 6.
            {"a":01}                           | The text is not valid JSON: expected } at character 7.
            {"a":+1}                           | The text is not valid JSON: expected a value at character 6.
            {"a":1.}                           | The text is not valid JSON: expected a digit at character 8.
            {"a":"\\u00x0"}                    | The text is not valid JSON: expected four hexadecimal digits at character 11.
            """)
    void a_text_that_is_refused_has_one_problem_that_says_why(String json, String message) {
        assertThat(Document.parse(json).problems()).extracting(Problem::message).containsExactly(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{'a':1}",
                "{a:1}",
                "{\"a\":.5}",
                "{\"a\":NaN}",
                "{\"a\":tru}",
                "{\"a\":\"\u0001\"}",
                "{\"a\":\"x}",
                "{\"a\":\"x\\",
                "{\"a\":\"\\x\"}",
                "{\"a\":[1,]}",
                "{/* c */}",
                "{\"a\":\"\t\"}",
                "{\"a\":0x1}",
                "{]",
                "{\"a\":-}",
                "{\"a\":1e}",
                "{\"a\":1e+}",
                "{\"a\":\"\\u12\"}"
            })
    void a_text_that_is_not_json_is_refused(String json) {
        assertThat(Document.parse(json).problems())
                .singleElement()
                .satisfies(
                        problem -> assertThat(problem.message()).startsWith("The text is not valid JSON: expected "));
    }

    @Test
    void a_problem_names_its_field() {
        assertThat(Document.parse("{\"a\":{\"b\":1,\"b\":2}}").problems())
                .containsExactly(new Problem("a.b", "a.b appears more than once."));
    }

    @Test
    void numbers_are_limited_to_128_characters() {
        String fits = "9".repeat(Document.MAX_NUMBER_LENGTH);

        assertThat(Document.parse("{\"a\":" + fits + "}").orElseThrow().get("a"))
                .isEqualTo(new BigDecimal(fits));
        assertThat(Document.parse("{\"a\":9" + fits + "}").problems())
                .containsExactly(new Problem("a", "a has too many digits."));
    }

    @Test
    void nesting_is_limited_to_32_levels() {
        assertThat(Document.parse("{\"a\":" + "[".repeat(31) + "]".repeat(31) + "}")
                        .isRead())
                .isTrue();
        for (String opening :
                List.of("{\"a\":" + "[".repeat(32), "{\"a\":".repeat(33), "{\"a\":" + "[".repeat(1 << 20))) {
            assertThat(Document.parse(opening).problems())
                    .extracting(Problem::message)
                    .containsExactly("The text is nested deeper than 32 levels.");
        }
    }

    @Test
    void the_length_of_a_text_is_limited() {
        String longest = "{\"a\":0" + " ".repeat(Document.MAX_TEXT_LENGTH - 7) + "}";

        assertThat(Document.parse(longest).isRead()).isTrue();
        assertThat(Document.parse(longest + " ").problems())
                .extracting(Problem::message)
                .containsExactly("The text is longer than 67108864 characters.");
    }

    @Test
    void a_changed_text_is_read_as_jackson_reads_it() throws JsonProcessingException {
        String json =
                "{\"aé\": [0, -1.50e+3, \"x\\n\\ud83d\\ude00\\\\\", true, null, {\"b\" :false, \"c\":{}}], \"d\":12}";
        String characters = "{}[]\":,\\ 019.-+eEtruefalsn/bu\n\td8\u0000é\ufeff'";
        int accepted = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder changed = new StringBuilder(json);
            for (int i = random.nextInt(3); i >= 0; i--) {
                char c = characters.charAt(random.nextInt(characters.length()));
                int place = random.nextInt(changed.length());
                switch (random.nextInt(3)) {
                    case 0 -> changed.setCharAt(place, c);
                    case 1 -> changed.insert(place, c);
                    default -> changed.deleteCharAt(place);
                }
            }
            Reading<Document> ours = Document.parse(changed.toString());
            Document theirs = jackson(changed.toString());
            boolean isBroken = !ours.isRead()
                    && ours.problems().get(0).message().equals("The text has half of a surrogate pair in a string.");
            if (!isBroken) {
                assertThat(ours.isRead() ? ours.orElseThrow() : null)
                        .as("seed %d: %s", seed, changed)
                        .isEqualTo(theirs);
            }
            accepted += ours.isRead() ? 1 : 0;
        }
        assertThat(accepted).isBetween(1_000, 19_000);
    }

    private static @Nullable Document jackson(String json) {
        try {
            return (Document) plain(JACKSON.readTree(json));
        } catch (JsonProcessingException | ClassCastException refused) {
            return null;
        }
    }

    private static @Nullable Object plain(JsonNode node) {
        if (node.isObject()) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            node.properties().forEach(member -> members.put(member.getKey(), plain(member.getValue())));
            return Document.of(members);
        } else if (node.isArray()) {
            List<@Nullable Object> items = new ArrayList<>();
            node.forEach(item -> items.add(plain(item)));
            return items;
        } else if (node.isNumber()) {
            return node.decimalValue();
        } else if (node.isBoolean()) {
            return node.booleanValue();
        }
        return node.isNull() ? null : node.textValue();
    }
}
