package dev.agentpolicy.adapter.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvWriterTest {

    @Test
    void cells_are_quoted_where_they_must_be() throws IOException {
        assertThat(written("plain", null, "", "a,b", "say \"x\"", "two\nlines", " blank "))
                .isEqualTo("plain,,,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\", blank \r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\tx"})
    void a_formula_is_defused(String cell) throws IOException {
        assertThat(written(cell)).isEqualTo("'" + cell + "\r\n");
    }

    @Test
    void a_formula_with_a_comma_is_defused_inside_its_quotes() throws IOException {
        assertThat(written("=A1,B1", "\rx")).isEqualTo("\"'=A1,B1\",\"'\rx\"\r\n");
    }

    @Test
    void a_formula_in_full_width_signs_or_after_a_semicolon_is_defused() throws IOException {
        assertThat(written("\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20A1", " =1"))
                .isEqualTo("'\uff1d1+1,'\uff0b1,'\uff0d1,'\uff20A1,' =1\r\n");
        assertThat(written("buy;=1+1", "a; \uff1dB1;-2", "a\n=1"))
                .isEqualTo("\"buy;'=1+1\",\"a;' \uff1dB1;'-2\",\"a\n'=1\"\r\n");
        assertThat(written("a; b - c", "x=1")).isEqualTo("\"a; b - c\",x=1\r\n");
    }

    private static String written(String... cells) throws IOException {
        StringWriter out = new StringWriter();
        new CsvWriter(out).row(Arrays.asList(cells));
        return out.toString();
    }
}
