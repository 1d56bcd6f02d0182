package dev.agentpolicy.domain.event.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentpolicy.domain.document.Document;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalFormTest {

    @Test
    void members_are_sorted_and_nothing_is_blank() {
        Map<String, @Nullable Object> members = new HashMap<>();
        members.put("b", List.of(1, "x", true));
        members.put("a", null);
        members.put("B", Map.of("z", 2L, "y", new BigDecimal("3.00")));

        assertThat(CanonicalForm.write(members)).isEqualTo("{\"B\":{\"y\":3,\"z\":2},\"a\":null,\"b\":[1,\"x\",true]}");
    }

    @Test
    void only_quotes_and_backslashes_are_escaped() {
        String text = "é\u2028\uD83D\uDE00 \" \\ /";

        assertThat(CanonicalForm.write(Map.of("note", text)))
                .isEqualTo("{\"note\":\"é\u2028\uD83D\uDE00 \\\" \\\\ /\"}");
    }

    @Test
    void a_number_has_one_text() {
        assertThat(CanonicalForm.write(Map.of("n", new BigDecimal("1E+3")))).isEqualTo("{\"n\":1000}");
        assertThat(CanonicalForm.write(Map.of("n", new BigDecimal("-0.0")))).isEqualTo("{\"n\":0}");
        assertThat(CanonicalForm.write(Map.of("n", CanonicalForm.MAX_INTEGER))).isEqualTo("{\"n\":9007199254740991}");
    }

    @Test
    void decimals_and_integers_beyond_the_profile_are_refused() {
        for (Object number : List.of(
                new BigDecimal("0.5"),
                new BigDecimal("1e400"),
                new BigDecimal("1e-400"),
                new BigDecimal("9007199254740992"),
                new BigDecimal("1e999999999"),
                9007199254740992L,
                -9007199254740992L,
                1.5,
                2f)) {
            refuses(Map.of("n", number));
        }
    }

    @Test
    void text_that_could_be_hashed_two_ways_is_refused() {
        for (String text : List.of("\uD800", "\uDC00", "\uDE00\uD83D", "a\uD800b", "\n", "\u0000", "\u007f")) {
            refuses(Map.of("text", text));
        }
    }

    @Test
    void names_outside_of_the_profile_are_refused() {
        for (String name : List.of("", "1a", "_a", "a-b", "é", "a.b", "a b")) {
            refuses(Map.of(name, 1));
        }
        refuses(Collections.singletonMap(null, 1));
    }

    @Test
    void a_repeated_member_is_refused() {
        Document repeated = new Document(Map.of("a", 1), Set.of("a"));

        assertThatIllegalArgumentException().isThrownBy(() -> CanonicalForm.write(repeated));
        refuses(Map.of("nested", repeated));
    }

    @Test
    void an_unreadable_value_is_refused() {
        refuses(Map.of("n", new Document.Unreadable(BigDecimal.class, "is too large")));
    }

    @Test
    void eight_levels_are_allowed_and_nine_are_not() {
        assertThat(CanonicalForm.write(nested(8))).startsWith("{\"a\":[[[[[[[").hasSize(5 + 1 + 14);
        refuses(nested(9));
    }

    @Test
    void sixty_four_kibibytes_are_allowed_and_one_byte_more_is_not() {
        int frame = "{\"a\":\"\"}".length();

        assertThat(CanonicalForm.write(Map.of("a", "x".repeat(65_536 - frame)))).hasSize(65_536);
        refuses(Map.of("a", "x".repeat(65_537 - frame)));
        assertThat(CanonicalForm.isCanonical("{\"a\":\"" + "x".repeat(65_536 - frame) + "\"}"))
                .isTrue();
        assertThat(CanonicalForm.isCanonical("{\"a\":\"" + "x".repeat(65_537 - frame) + "\"}"))
                .isFalse();
        refuses(Map.of("a", "é".repeat(32_768)));
        assertThat(CanonicalForm.write(Map.of("a", "\uD83D\uDE00".repeat(16_382))))
                .isNotEmpty();
        refuses(Map.of("a", "\uD83D\uDE00".repeat(16_383)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\":null}",
                "{\"A\":1,\"a\":-1,\"b\":[],\"c\":{},\"d\":[true,false,null,\"\\\"\\\\\"]}",
                "{\"a\":\"\u2028/\uD83D\uDE00\",\"b\":9007199254740991,\"c\":-9007199254740991}",
                "{\"a\":[[[[[[[0]]]]]]]}"
            })
    void canonical_text_is_read_and_written_again_byte_for_byte(String text) {
        assertThat(CanonicalForm.write(CanonicalForm.read(text))).isEqualTo(text);
        assertThat(CanonicalForm.isCanonical(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}x",
                " {}",
                "{ }",
                "{\"a\":1,}",
                "{\"a\":1 }",
                "{,\"a\":1}",
                "{\"b\":1,\"a\":1}",
                "{\"a\":1,\"a\":1}",
                "{\"a\":1\"b\":2}",
                "{\"a\"1}",
                "{a:1}",
                "{\"\":1}",
                "{\"a-b\":1}",
                "{\"a\":01}",
                "{\"a\":-0}",
                "{\"a\":-}",
                "{\"a\":+1}",
                "{\"a\":1.0}",
                "{\"a\":1e3}",
                "{\"a\":9007199254740992}",
                "{\"a\":99999999999999999999}",
                "{\"a\":NaN}",
                "{\"a\":nul}",
                "{\"a\":True}",
                "{\"a\":\"\\/\"}",
                "{\"a\":\"\\u0041\"}",
                "{\"a\":\"\\n\"}",
                "{\"a\":\"\n\"}",
                "{\"a\":\"\uD800\"}",
                "{\"a\":\"x}",
                "{\"a\":\"x\\",
                "{\"a\":[1,]}",
                "{\"a\":[1 ,2]}",
                "{\"a\":[1}",
                "{\"a\":[[[[[[[[0]]]]]]]]}",
                "\uFEFF{}"
            })
    void anything_else_is_not_read(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> CanonicalForm.read(text));
        assertThat(CanonicalForm.isCanonical(text)).isFalse();
    }

    private static void refuses(Map<String, @Nullable Object> members) {
        assertThatIllegalArgumentException()
                .as("%s", members)
                .isThrownBy(() -> CanonicalForm.write(members))
                .withMessageMatching("(?s)(The|A) .*\\.");
    }

    private static Map<String, @Nullable Object> nested(int depth) {
        Object value = List.of();
        for (int level = 2; level < depth; level++) {
            value = List.of(value);
        }
        return Map.of("a", value);
    }
}
