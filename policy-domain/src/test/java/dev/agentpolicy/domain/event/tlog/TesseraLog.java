package dev.agentpolicy.domain.event.tlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The log of others in src/test/resources/tlog/tessera. */
final class TesseraLog {
    static final String ORIGIN = "example.com/log/testdata";
    static final VerifierKey KEY = VerifierKey.read(
                    "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx")
            .orElseThrow();

    private TesseraLog() {}

    static byte[] bytes(String file) {
        try {
            return Files.readAllBytes(Path.of("src/test/resources/tlog/tessera", file));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static SignedNote note(int size) {
        return SignedNote.read(new String(bytes("checkpoint." + size), StandardCharsets.UTF_8))
                .orElseThrow();
    }

    static Checkpoint checkpoint(int size) {
        return Checkpoint.read(note(size).text()).orElseThrow();
    }
}
