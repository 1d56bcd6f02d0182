package dev.agentpolicy.domain.event.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentpolicy.domain.document.Document;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of the canonical form are the same for writing, reading and checking. */
class CanonicalLimitsTest {
    private static final int FRAME = "{\"a\":\"\"}".length();
    private static final int ROOM = CanonicalForm.MAX_BYTES - FRAME;
    private static final String TOO_LONG = "A signed document must have at most 65536 bytes.";
    private static final String TOO_DEEP = "A signed document must not nest deeper than 8 objects or arrays.";

    @ParameterizedTest
    @ValueSource(strings = {"\u007e", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff"})
    void a_text_is_measured_in_bytes_of_utf_8(String character) {
        int bytes = character.getBytes(StandardCharsets.UTF_8).length;
        String fits = character.repeat(ROOM / bytes) + "x".repeat(ROOM % bytes);

        assertThat(CanonicalForm.write(Map.of("a", fits))).hasSize(fits.length() + FRAME);
        assertThat(CanonicalForm.isCanonical("{\"a\":\"" + fits + "\"}")).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CanonicalForm.write(Map.of("a", fits + "x")))
                .withMessage(TOO_LONG);
        assertThat(CanonicalForm.isCanonical("{\"a\":\"" + fits + "x\"}")).isFalse();
    }

    @Test
    void a_long_text_is_neither_read_nor_written() {
        String text = "x".repeat(ROOM + 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CanonicalForm.read("{\"a\":\"" + text + "\"}"))
                .withMessage(TOO_LONG);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CanonicalForm.write(Document.of(Map.of("a", text))))
                .withMessage(TOO_LONG);
    }

    @Test
    void a_stored_document_may_be_longer_except_for_a_single_string() {
        String longest = "x".repeat(CanonicalForm.MAX_BYTES);
        Map<String, @Nullable Object> members = Map.of("a", longest, "b", longest);

        assertThat(CanonicalForm.readStored(CanonicalForm.writeStored(members)).members())
                .isEqualTo(members);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CanonicalForm.writeStored(Map.of("a", longest + "x")))
                .withMessage("The value of a is too long.");
    }

    @Test
    void objects_and_documents_and_lists_nest_eight_deep_and_no_deeper() {
        Map<String, @Nullable Object> maps = Map.of();
        Map<String, @Nullable Object> documents = Map.of();
        Map<String, @Nullable Object> mixed = Map.of();
        for (int depth = 2; depth <= 8; depth++) {
            maps = Map.of("a", maps);
            documents = Map.of("a", Document.of(documents));
            mixed = depth % 2 == 0 ? Map.of("a", List.of(mixed)) : mixed;
        }
        String eight = "{\"a\":".repeat(7) + "{}" + "}".repeat(7);

        assertThat(CanonicalForm.write(maps)).isEqualTo(eight);
        assertThat(CanonicalForm.write(documents)).isEqualTo(eight);
        assertThat(CanonicalForm.write(Document.of(documents))).isEqualTo(eight);
        assertThat(CanonicalForm.write(CanonicalForm.read(eight))).isEqualTo(eight);
        assertThat(CanonicalForm.isCanonical(eight)).isTrue();
        for (Map<String, @Nullable Object> nine : List.of(
                Map.<String, @Nullable Object>of("a", maps),
                Map.<String, @Nullable Object>of("a", Document.of(documents)),
                Map.<String, @Nullable Object>of("a", List.of(mixed)))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CanonicalForm.write(nine))
                    .withMessage(TOO_DEEP);
        }
    }

    @Test
    void nine_levels_of_any_kind_are_not_read() {
        for (String nine : List.of(
                "{\"a\":".repeat(8) + "{}" + "}".repeat(8),
                "{\"a\":" + "[".repeat(8) + "]".repeat(8) + "}",
                "{\"a\":[".repeat(4) + "{}" + "]}".repeat(4))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CanonicalForm.read(nine))
                    .withMessageStartingWith("Not canonical at character ");
            assertThat(CanonicalForm.isCanonical(nine)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"a":"x                  | 8
            {"a":"x\\                | 9
            {"a"                     | 4
            {"a":1}x                 | 8
            {"a":1,                  | 8
            {"a":1                   | 7
            {"b":1,"a":2}            | 8
            {"a":1,"a":2}            | 8
            {"a":-}                  | 7
            {"a":00}                 | 6
            {"a":9007199254740992}   | 6
            {"a":-9007199254740992}  | 7
            {"a":123456789012345678} | 6
            {"a":"\\/"}              | 8
            {"a":no}                 | 6
            [1]                      | 1
            """)
    void the_message_says_where_a_text_is_not_canonical(String text, int place) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CanonicalForm.read(text))
                .withMessage("Not canonical at character " + place + ".");
        assertThat(CanonicalForm.isCanonical(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Z\":1,\"a\":2,\"a0\":3,\"a9\":4,\"aA\":5,\"aZ\":6,\"a_\":7,\"az\":8}",
                "{\"a\":[],\"b\":[[]],\"c\":[{},{}],\"d\":{\"A\":true,\"B\":false}}",
                "{\"a\":\"\\\\\\\"\",\"b\":\"\ud83d\ude00\ud83d\ude00\",\"c\":\" ~\u0080\"}",
                "{\"a\":0,\"b\":-1,\"c\":10,\"d\":1000000000000000}"
            })
    void every_text_that_can_be_read_is_canonical(String text) {
        assertThat(CanonicalForm.write(CanonicalForm.read(text))).isEqualTo(text);
        assertThat(CanonicalForm.isCanonical(text)).isTrue();
        assertThat(CanonicalForm.end("[" + text + "]", 1)).isEqualTo(text.length() + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a@\":1}",
                "{\"a[\":1}",
                "{\"a`\":1}",
                "{\"a{\":1}",
                "{\"a/\":1}",
                "{\"a:\":1}",
                "{\"0\":1}",
                "{\"_\":1}",
                "{\"@\":1}",
                "{\"[\":1}",
                "{\"a\":\"\u001f\"}",
                "{\"a\":\"\u007f\"}",
                "{\"a\":\"\ud83d\"}",
                "{\"a\":\"\ude00\"}",
                "{\"a\":\"\ud83d\ud83d\"}",
                "{\"a\":-01}",
                "{\"a\":/}",
                "{\"a\":1:}",
                "{\"a\":tru}",
                "{\"a\":fals}",
                "{\"ab\":1,\"a\":2}",
                "{\"a\":{\"b\":1,\"a\":2}}"
            })
    void no_text_that_cannot_be_read_is_canonical(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> CanonicalForm.read(text));
        assertThat(CanonicalForm.isCanonical(text)).isFalse();
    }
}
