package dev.agentpolicy.domain.event.canonical;

import dev.agentpolicy.domain.document.Document;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.erdtman.jcs.JsonCanonicalizer;

/** Reads any JSON with an independent canonicaliser. */
public final class TestJson {

    private TestJson() {}

    public static String canonical(String json) {
        try {
            return new JsonCanonicalizer(json).getEncodedString();
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    public static Document object(String json) {
        return CanonicalForm.read(canonical(json));
    }

    public static List<Document> objects(Document document, String name) {
        return ((List<?>) document.get(name)).stream().map(Document.class::cast).toList();
    }

    /** A file under docs. */
    public static String file(String name) {
        try {
            return Files.readString(docs().resolve(name));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public static Path docs() {
        Path here = Path.of("").toAbsolutePath();
        return Files.isDirectory(here.resolve("docs/vectors"))
                ? here.resolve("docs")
                : here.getParent().resolve("docs");
    }
}
