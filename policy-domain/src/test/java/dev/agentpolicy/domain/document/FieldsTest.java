package dev.agentpolicy.domain.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentpolicy.domain.sample.JsonSamples;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader of fields is given, and what is said of the fields that are wrong. */
class FieldsTest {

    @Test
    void a_truth_is_true_or_false_and_nothing_else() {
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
    void a_text_has_so_many_characters_however_many_units_each_takes() {
        Fields fields = fields("{\"short\":\"\",\"ok\":\"\uD83D\uDE00\uD83D\uDE00\",\"long\":\"abc\"}");

        assertThat(fields.text("ok", 1, 2)).isEqualTo("\uD83D\uDE00\uD83D\uDE00");
        assertThat(fields.text("short", 1, 2)).isNull();
        assertThat(fields.text("long", 1, 2)).isNull();
        assertThat(wrong(fields))
                .containsExactly("short must have 1 to 2 characters.", "long must have 1 to 2 characters.");
    }

    @Test
    void a_text_for_people_that_is_not_plain_is_no_text() {
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
    void a_number_too_large_to_be_held_is_told_so_and_a_word_that_it_is_no_number() {
        Fields fields = fields("{\"huge\":1e99999999999,\"word\":\"7\",\"fine\":7.25}");

        assertThat(fields.decimal("fine", BigDecimal.ZERO, BigDecimal.TEN, 2)).isEqualByComparingTo("7.25");
        assertThat(fields.decimal("huge", BigDecimal.ZERO, BigDecimal.TEN, 2)).isNull();
        assertThat(fields.decimal("word", BigDecimal.ZERO, BigDecimal.TEN, 2)).isNull();
        assertThat(wrong(fields)).containsExactly("huge has too many digits.", "word must be a number.");
    }

    @Test
    void an_object_with_too_many_members_is_told_only_that() {
        Fields fields = fields("{\"assets\":{\"A\":1,\"B\":2,\"C\":3}}");

        assertThat(fields.entries("assets", 2, (name, members) -> name)).isEmpty();
        assertThat(wrong(fields)).containsExactly("assets must have at most 2 members.");
    }

    @Test
    void an_object_may_have_just_so_many_members() {
        Fields fields = fields("{\"assets\":{\"A\":1,\"B\":2}}");

        assertThat(fields.entries("assets", 2, (name, members) -> members.has(name) ? name : null))
                .containsExactly("A", "B");
        assertThat(fields.isRight()).isTrue();
    }

    @Test
    void a_list_may_have_just_so_many_items_and_each_is_named_by_its_place() {
        Fields fields = fields("{\"two\":[\"a\",7],\"three\":[\"a\",\"b\",\"c\"]}");

        assertThat(fields.texts("two", 2, "must be a letter", text -> text)).containsExactly("a");
        assertThat(fields.texts("three", 2, "must be a letter", text -> text)).isEmpty();
        assertThat(wrong(fields)).containsExactly("two[1] must be a letter.", "three must have at most 2 items.");
    }

    @Test
    void a_required_field_is_missing_or_null_and_is_blamed_once() {
        Fields fields = fields("{\"none\":null,\"odd\":7}");
        fields.truth("odd");
        fields.require("none", "absent", "odd");

        assertThat(wrong(fields))
                .containsExactly("odd must be true or false.", "none must not be null.", "absent is missing.");
    }

    @Test
    void of_more_than_eight_problems_eight_are_told_and_the_last_counts_them_all() {
        Fields fields = fields("{}");
        for (int i = 0; i < 60; i++) {
            fields.problem("field" + i, "is wrong");
            fields.problem("field" + i, "is wrong in another way");
        }

        assertThat(wrong(fields)).hasSize(8).last().isEqualTo("field7 is wrong. In all, 60 fields are wrong.");
    }

    @Test
    void eight_problems_are_told_without_a_count() {
        Fields fields = fields("{}");
        for (int i = 0; i < 8; i++) {
            fields.problem("field" + i, "is wrong");
        }

        assertThat(wrong(fields)).hasSize(8).last().isEqualTo("field7 is wrong.");
    }

    @Test
    void a_required_field_that_is_taken_before_the_problems_are_looked_at_is_a_bug() {
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
