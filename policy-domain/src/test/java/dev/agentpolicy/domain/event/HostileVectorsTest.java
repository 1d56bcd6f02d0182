package dev.agentpolicy.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.HostileVectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The hostile vectors are exactly what their inputs produce; {@code -Dvectors.hostile=write} writes them. */
class HostileVectorsTest {
    private static final Path VECTORS = TestJson.docs().resolve("vectors");

    @Test
    void every_file_is_reproduced_from_its_inputs() throws IOException {
        Map<String, String> files = HostileVectors.files();
        if ("write".equals(System.getProperty("vectors.hostile"))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = VECTORS.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
        }

        for (Map.Entry<String, String> file : files.entrySet()) {
            assertThat(VECTORS.resolve(file.getKey())).hasContent(file.getValue());
        }
        try (Stream<Path> there = Files.walk(VECTORS.resolve("hostile"))) {
            assertThat(there.filter(Files::isRegularFile)
                            .map(path -> VECTORS.relativize(path).toString()))
                    .allMatch(files::containsKey);
        }
    }
}
