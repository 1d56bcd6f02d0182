package dev.agentpolicy.domain.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentpolicy.domain.sample.JsonSamples;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of right fields and the problems of wrong ones. */
class FieldsTest {

    @Test
    void a_boolean_is_true_or_false() {
        Fields fields = fields("{\"yes\":true,\"no\":false,\"word\":\"true\",\"none\":null}");

        assertThat(fields.truth("yes")).isTrue();
        assertThat(fields.truth("no")).isFalse();
        assertThat(fields.truth("none")).isNull();
        assertThat(fields.truth("absent")).isNull();
        assertThat(fields.isRight()).isTrue();
        assertThat(fields.truth("word")).isNull();
        assertThat(wrong(fields)).containsExactly("word must be true or false.");
    }

    @Test
    void the_length_of_a_text_counts_characters_and_not_code_units() {
        Fields fields = fields("{\"short\":\"\",\"ok\":\"\uD83D\uDE00\uD83D\uDE00\",\"long\":\"abc\"}");

        assertThat(fields.text("ok", 1, 2)).isEqualTo("\uD83D\uDE00\uD83D\uDE00");
        assertThat(fields.text("short", 1, 2)).isNull();
        assertThat(fields.text("long", 1, 2)).isNull();
        assertThat(wrong(fields))
                .containsExactly("short must have 1 to 2 characters.", "long must have 1 to 2 characters.");
    }

    @Test
    void a_text_for_people_must_be_plain() {
        Fields fields = fields("{\"name\":\"a\\nb\"}");

        assertThat(fields.plainText("name", 1, 9)).isNull();
        assertThat(wrong(fields)).containsExactly("name must not contain control characters or broken Unicode.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\u0000", "\\u001f", "\\u007f", "\\u0080", "\\u0085", "\\u009b", "\\u009f"})
    void every_control_character_is_refused(String escaped) {
        Fields fields = fields("{\"name\":\"a" + escaped + "b\"}");

        assertThat(fields.plainText("name", 1, 9)).isNull();
        assertThat(wrong(fields)).containsExactly("name must not contain control characters or broken Unicode.");
    }

    @Test
    void a_document_of_the_log_keeps_the_control_characters_that_its_profile_allows() {
        Fields fields =
                new Fields(JsonSamples.object("{\"name\":\"a\\u0085b\",\"other\":\"a\\u007fb\"}"), Decimals.TEXT);

        assertThat(fields.plainText("name", 1, 9)).isEqualTo("a\u0085b");
        assertThat(fields.plainText("other", 1, 9)).isNull();
    }

    @Test
    void a_number_with_too_many_digits_and_a_word_have_different_problems() {
        Fields fields = fields("{\"huge\":1e99999999999,\"word\":\"7\",\"fine\":7.25}");

        assertThat(fields.decimal("fine", BigDecimal.ZERO, BigDecimal.TEN, 2)).isEqualByComparingTo("7.25");
        assertThat(fields.decimal("huge", BigDecimal.ZERO, BigDecimal.TEN, 2)).isNull();
        assertThat(fields.decimal("word", BigDecimal.ZERO, BigDecimal.TEN, 2)).isNull();
        assertThat(wrong(fields)).containsExactly("huge has too many digits.", "word must be a number.");
    }

    @Test
    void an_object_with_too_many_members_has_one_problem() {
        Fields fields = fields("{\"assets\":{\"A\":1,\"B\":2,\"C\":3}}");

        assertThat(fields.entries("assets", 2, (name, members) -> name)).isEmpty();
        assertThat(wrong(fields)).containsExactly("assets must have at most 2 members.");
    }

    @Test
    void an_object_may_have_the_maximum_of_members() {
        Fields fields = fields("{\"assets\":{\"A\":1,\"B\":2}}");

        assertThat(fields.entries("assets", 2, (name, members) -> members.has(name) ? name : null))
                .containsExactly("A", "B");
        assertThat(fields.isRight()).isTrue();
    }

    @Test
    void a_list_may_have_the_maximum_of_items_which_are_named_by_index() {
        Fields fields = fields("{\"two\":[\"a\",7],\"three\":[\"a\",\"b\",\"c\"]}");

        assertThat(fields.texts("two", 2, "must be a letter", text -> text)).containsExactly("a");
        assertThat(fields.texts("three", 2, "must be a letter", text -> text)).isEmpty();
        assertThat(wrong(fields)).containsExactly("two[1] must be a letter.", "three must have at most 2 items.");
    }

    @Test
    void an_absent_or_null_required_field_has_one_problem() {
        Fields fields = fields("{\"none\":null,\"odd\":7}");
        fields.truth("odd");
        fields.require("none", "absent", "odd");

        assertThat(wrong(fields))
                .containsExactly("odd must be true or false.", "none must not be null.", "absent is missing.");
    }

    @Test
    void unknown_fields_can_be_ignored_but_not_repeated_ones() {
        Fields strict = fields("{\"x\":1,\"x\":2,\"y\":3}");
        Fields tolerant = fields("{\"x\":1,\"x\":2,\"y\":3}");
        tolerant.ignoreUnknown();

        assertThat(wrong(strict)).containsExactly("x appears more than once.", "y is not a known field.");
        assertThat(wrong(tolerant)).containsExactly("x appears more than once.");
    }

    @Test
    void only_eight_problems_are_reported_and_the_last_has_the_total() {
        Fields fields = fields("{}");
        for (int i = 0; i < 60; i++) {
            fields.problem("field" + i, "is wrong");
            fields.problem("field" + i, "is wrong in another way");
        }

        assertThat(wrong(fields)).hasSize(8).last().isEqualTo("field7 is wrong. In all, 60 fields are wrong.");
    }

    @Test
    void eight_problems_have_no_total() {
        Fields fields = fields("{}");
        for (int i = 0; i < 8; i++) {
            fields.problem("field" + i, "is wrong");
        }

        assertThat(wrong(fields)).hasSize(8).last().isEqualTo("field7 is wrong.");
    }

    @Test
    void using_a_required_field_without_checking_problems_is_a_bug() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Fields.present(null))
                .withMessage("A required field is missing.");
        assertThat(Fields.present("there")).isEqualTo("there");
    }

    private static Fields fields(String json) {
        return new Fields(JsonSamples.object(json), Decimals.NUMBERS);
    }

    private static List<String> wrong(Fields fields) {
        return fields.finish(() -> true).problems().stream()
                .map(Problem::message)
                .toList();
    }
}
