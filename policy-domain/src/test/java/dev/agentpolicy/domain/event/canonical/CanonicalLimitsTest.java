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

/** Where the profile of the canonical form ends, for whoever writes, reads or only looks. */
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
    void what_is_too_long_is_neither_read_nor_written_from_a_document() {
        String text = "x".repeat(ROOM + 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CanonicalForm.read("{\"a\":\"" + text + "\"}"))
                .withMessage(TOO_LONG);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CanonicalForm.write(Document.of(Map.of("a", text))))
                .withMessage(TOO_LONG);
    }

    @Test
    void what_is_stored_may_be_longer_but_for_a_single_text() {
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
    void nine_levels_are_not_read_whatever_they_are_made_of() {
        for (String nine : List.of(
                "{\"a\":".repeat(8) + "{}" + "}".repeat(8),
                "{\"a\":" + "[".repeat(8) + "]".repeat(8) + "}",
                "{\"a\":[".repeat(4) + "{}" + "]}".repeat(4))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CanonicalForm.read(nine))
                    .withMessageContaining("nests deeper than 8");
            assertThat(CanonicalForm.isCanonical(nine)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"a":"x            | ends inside of a string (before character 6)
            {"a":"x\\          | ends inside of a string (before character 6)
            {"a"               | must have : there (before character 4)
            {"a":1}x           | has something after its end (before character 7)
            {"a":1,            | must have " there (before character 7)
            {"a":1             | must have , there (before character 6)
            {"b":1,"a":2}      | has a member name that is repeated, out of order or not allowed (before character 10)
            {"a":1,"a":2}      | has a member name that is repeated, out of order or not allowed (before character 10)
            {"a":-}            | has a number that is no integer of at most 2^53-1 (before character 6)
            {"a":00}           | has a number that is no integer of at most 2^53-1 (before character 7)
            {"a":9007199254740992}   | has a number that is no integer of at most 2^53-1 (before character 21)
            {"a":-9007199254740992}  | has a number that is no integer of at most 2^53-1 (before character 22)
            {"a":123456789012345678} | has a number that is no integer of at most 2^53-1 (before character 23)
            {"a":"\\/"}        | escapes a character that needs no escape (before character 9)
            {"a":no}           | has something that is not a value (before character 5)
            [1]                | must have { there (before character 0)
            """)
    void it_is_said_what_is_not_canonical_and_where(String text, String complaint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CanonicalForm.read(text))
                .withMessage("Not canonical: the text " + complaint + ".");
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
    void whatever_is_read_is_found_to_be_canonical(String text) {
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
    void whatever_is_not_read_is_found_not_to_be_canonical(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> CanonicalForm.read(text));
        assertThat(CanonicalForm.isCanonical(text)).isFalse();
    }
}
