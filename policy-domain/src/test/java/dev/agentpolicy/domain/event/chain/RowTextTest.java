package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.RowJson.RowText;
import dev.agentpolicy.domain.sample.Seeded;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fast parser reads a row as the strict one does, or not at all. */
class RowTextTest {
    private static final String STRANGE = "aZ09 \"\\{}[]:,-\n\u007f\u00e9\u2028\uD800";

    @Test
    void every_row_is_read_as_it_was_written() {
        List<PolicyEvent> rows = RecomputedChain.CHAIN;
        for (PolicyEvent row : rows) {
            String text = bytes("[" + text(row) + "]");
            assertThat(RowText.at(text, 1)).isEqualTo(new RowText(row, text.length() - 1));
        }
        assertThat(rows).hasSizeGreaterThan(300);
    }

    @Test
    void an_erased_row_is_read() {
        PolicyEvent row = EmergencyVectors.erased(RecomputedChain.CHAIN.get(2));

        String bytes = bytes(text(row));
        assertThat(RowText.at(bytes, 0)).isEqualTo(new RowText(row, bytes.length()));
    }

    @Test
    void a_changed_row_is_read_only_if_it_is_written_exactly_so() {
        Seeded.times(3_000, random -> {
            PolicyEvent row = RecomputedChain.CHAIN.get(random.nextInt(RecomputedChain.CHAIN.size()));
            String changed = changed(text(row), random);
            RowText read = RowText.at(bytes(changed), 0);
            if (read != null) {
                String text = text(read.row());
                assertThat(bytes(changed)).startsWith(bytes(text));
                assertThat(bytes(text)).hasSize(read.end());
                assertThat(RowJson.read(TestJson.object(text)).orElseThrow()).isEqualTo(read.row());
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    {"v":1,           | {"v": 1,
                    "seq":            | "seq":0
                    "seq":            | "seq":9007199254740991
                    "eventType":"     | "eventType":"x
                    "payload":{       | "payload":{ "A":1,
                    "payload":{       | "payload":{"A":1.5,
                    "payload":{       | "payload":null,"x":{
                    "signature":"     | "signature":"=
                    "}$               | ",
                    """)
    void a_row_in_another_form_is_left_to_the_strict_reader(String words, String others) {
        String text = text(RecomputedChain.CHAIN.get(0));
        String changed =
                words.endsWith("$") ? text.substring(0, text.length() - 2) + others : text.replace(words, others);

        assertThat(changed).isNotEqualTo(text);
        assertThat(RowText.at(bytes(changed), 0)).isNull();
    }

    @Test
    void malformed_utf_8_is_left_to_the_strict_reader() {
        PolicyEvent row = RecomputedChain.CHAIN.get(0);
        String text = bytes(text(row).replace("\"payload\":{", "\"payload\":{\"A\":\"\u00e9\","));

        assertThat(RowText.at(text, 0).row().payload()).startsWith("{\"A\":\"\u00e9\",");
        assertThat(RowText.at(text.replace("\u00c3\u00a9", "\u00e9"), 0)).isNull();
    }

    private static String bytes(String text) {
        return RowText.bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String changed(String text, Random random) {
        int place = random.nextInt(text.length());
        char c = STRANGE.charAt(random.nextInt(STRANGE.length()));
        return switch (random.nextInt(3)) {
            case 0 -> text.substring(0, place) + c + text.substring(place + 1);
            case 1 -> text.substring(0, place) + c + text.substring(place);
            default -> text.substring(0, place) + text.substring(place + 1);
        };
    }

    private static String text(PolicyEvent row) {
        StringBuilder out = new StringBuilder();
        RowJson.append(out, row);
        return out.toString();
    }
}
