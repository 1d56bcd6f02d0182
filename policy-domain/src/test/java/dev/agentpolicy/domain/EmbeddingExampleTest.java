package dev.agentpolicy.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.example.MayI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The example of {@code docs/embedding.md} compiles, runs and says what the page says it does. */
class EmbeddingExampleTest {
    private static final Path PAGE = Path.of("../docs/embedding.md");
    private static final Path EXAMPLE = Path.of("src/test/java/dev/agentpolicy/example/MayI.java");

    @Test
    void the_example_on_the_page_is_the_one_that_is_compiled() throws IOException {
        assertThat(block("java")).isEqualTo(Files.readString(EXAMPLE));
    }

    @Test
    void the_example_answers_what_the_page_says() throws IOException {
        assertThat(String.join("\n", MayI.answers()) + "\n").isEqualTo(block("text"));
    }

    /** The first block of the page in a language. */
    private static String block(String language) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("```" + language + "\n") + language.length() + 4;
        return page.substring(start, page.indexOf("```", start));
    }
}
