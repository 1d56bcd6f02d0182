package dev.agentpolicy.adapter.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static final String NOT_JSON = "The body is not valid JSON.";

    @Test
    void an_object_is_read_member_by_member() {
        Document document = read("{\"text\":\"é\\n\",\"number\":1.50,\"yes\":true,\"no\":false,\"nothing\":null,"
                        + "\"list\":[1,\"a\",{}],\"nested\":{\"x\":-0.1e2}}")
                .orElseThrow();

        assertThat(document.members().keySet())
                .containsExactly("text", "number", "yes", "no", "nothing", "list", "nested");
        assertThat(document.get("text")).isEqualTo("é\n");
        assertThat(document.get("number")).isEqualTo(new BigDecimal("1.50"));
        assertThat(document.get("yes")).isEqualTo(true);
        assertThat(document.get("no")).isEqualTo(false);
        assertThat(document.get("nothing")).isNull();
        assertThat((List<?>) document.get("list")).hasSize(3);
        assertThat(((Document) document.get("nested")).get("x")).isEqualTo(new BigDecimal("-0.1e2"));
    }

    @Test
    void a_repeated_name_is_noted_and_its_first_value_kept() {
        Document document = read("{\"a\":1,\"a\":2,\"b\":3,\"a\":4}").orElseThrow();

        assertThat(document.repeated()).containsExactly("a");
        assertThat(document.get("a")).isEqualTo(BigDecimal.ONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99999999999", "-1e-99999999999"})
    void a_number_with_an_overflowing_exponent_is_not_representable(String number) {
        assertThat(read("{\"a\":" + number + "}").orElseThrow().get("a")).isInstanceOf(Document.Unreadable.class);
    }

    @Test
    void a_number_of_a_thousand_digits_is_not_representable() {
        assertThat(read("{\"a\":" + "9".repeat(1000) + "}").orElseThrow().get("a"))
                .isEqualTo(new Document.Unreadable(BigDecimal.class, "has too many digits"));
    }

    @Test
    void a_number_with_a_large_exponent_is_read_quickly() {
        assertThat(read("{\"a\":1e1000000000}").orElseThrow().get("a")).isEqualTo(new BigDecimal("1e1000000000"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{'a':1}",
                "{a:1}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"a\":1.}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":tru}",
                "{\"a\":\"\u0001\"}",
                "{\"a\":\"x}",
                "{\"a\":\"\\x\"}",
                "{\"a\":[1,]}",
                "{/* c */}",
                "{\"a\":1}}",
                "{\"a\":1} x",
                "{\"a\":\"\t\"}",
                "{\"a\":0x1}",
                "{\"a\" 1}",
                "{]"
            })
    void malformed_json_is_refused(String body) {
        assertThat(messages(read(body))).containsExactly(NOT_JSON);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{} {}", "{} 1", "{}[]", "{}\"a\"", "{} null"})
    void text_after_the_object_is_refused(String body) {
        assertThat(messages(read(body))).containsExactly("The body has text after its JSON object.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "1", "\"a\"", "null", "true", " ", "\n"})
    void anything_but_an_object_is_refused(String body) {
        assertThat(messages(read(body))).containsExactly("The body must be a JSON object.");
    }

    @Test
    void an_empty_body_is_refused() {
        assertThat(messages(read(""))).containsExactly("The body is empty; it must be a JSON object.");
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 50_000})
    void nesting_beyond_the_limit_is_refused(int depth) {
        String lists = "{\"a\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";
        String objects = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
        String onlyOpened = "{\"a\":" + "[".repeat(depth);

        assertThat(List.of(lists, objects, onlyOpened))
                .allSatisfy(body ->
                        assertThat(messages(read(body))).containsExactly("The body is nested deeper than 32 levels."));
    }

    @Test
    void nesting_at_the_limit_is_read() {
        assertThat(read("{\"a\":" + "[".repeat(31) + "]".repeat(31) + "}").isRead())
                .isTrue();
    }

    @Test
    void bytes_that_are_not_utf8_are_refused() {
        for (int[] broken : new int[][] {{0xff}, {0xc3}, {0xc0, 0xaf}, {0xed, 0xa0, 0x80}, {0xf5, 0x80, 0x80, 0x80}}) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.writeBytes("{\"a\":\"".getBytes(StandardCharsets.UTF_8));
            Arrays.stream(broken).forEach(body::write);
            body.writeBytes("\"}".getBytes(StandardCharsets.UTF_8));

            assertThat(messages(JsonReader.read(body.toByteArray())))
                    .as(Arrays.toString(broken))
                    .containsExactly("The body is not well-formed UTF-8.");
        }
    }

    @Test
    void utf16_is_refused() {
        assertThat(JsonReader.read("{}".getBytes(StandardCharsets.UTF_16LE)).isRead())
                .isFalse();
        assertThat(JsonReader.read("{}".getBytes(StandardCharsets.UTF_16)).isRead())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00", "\\ud800x", "\\udc00\\ud800", "x\\udbff"})
    void an_unpaired_surrogate_is_refused(String half) {
        assertThat(messages(read("{\"a\":\"" + half + "\"}")))
                .containsExactly("The body has half of a surrogate pair in a string.");
        assertThat(read("{\"" + half + "\":1}").isRead()).isFalse();
    }

    @Test
    void a_surrogate_pair_is_read() {
        assertThat(read("{\"a\":\"\\ud83d\\ude00\"}").orElseThrow().get("a")).isEqualTo("😀");
    }

    @Test
    void a_name_or_string_as_long_as_the_body_is_read() {
        String large = "x".repeat(65_000);

        assertThat(read("{\"" + large + "\":1}").orElseThrow().members()).containsKey(large);
        assertThat(read("{\"a\":\"" + large + "\"}").orElseThrow().get("a")).isEqualTo(large);
    }

    private static Reading<Document> read(String body) {
        return JsonReader.read(body.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> messages(Reading<Document> reading) {
        return reading.problems().stream().map(Problem::message).toList();
    }
}
