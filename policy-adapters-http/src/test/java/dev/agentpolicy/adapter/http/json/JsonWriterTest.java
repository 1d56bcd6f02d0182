package dev.agentpolicy.adapter.http.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** JSON that is written while it is made. */
class JsonWriterTest {
    private final StringWriter out = new StringWriter();

    @Test
    void json_texts_are_joined_with_commas_and_empty_ones_are_left_out() {
        JsonWriter.object(
                out,
                json -> json.rawItems("rows", Stream.of("{\"a\":1},2", "", "3")).rawItems("none", Stream.of("")));
        assertThat(out).hasToString("{\"rows\":[{\"a\":1},2,3],\"none\":[]}");
    }

    @Test
    void an_object_that_fails_is_left_without_its_end() {
        assertThatThrownBy(() -> JsonWriter.object(
                        out,
                        json -> json.texts("names", List.of("Ann", "Bob"), name -> {
                            if (name.equals("Bob")) {
                                throw new IllegalStateException("The database is away.");
                            }
                            return name;
                        })))
                .hasMessage("The database is away.");
        assertThat(out).hasToString("{\"names\":[\"Ann\"");
    }
}
