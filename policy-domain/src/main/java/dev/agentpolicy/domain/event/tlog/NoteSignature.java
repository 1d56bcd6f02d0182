package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.util.Arrays;
import java.util.Objects;

/**
 * A signature line of a note.
 *
 * @param name of the key
 * @param value the four bytes of the key's id and the signature, base64
 */
public record NoteSignature(String name, String value) {
    private static final String DASH = "\u2014 ";
    private static final int ID_BYTES = 4;

    /** Reads a line without its end. */
    static Reading<NoteSignature> read(String line) {
        String[] parts = line.startsWith(DASH) ? line.substring(DASH.length()).split(" ", -1) : new String[0];
        byte[] bytes = parts.length == 2 ? Base64Url.standard(parts[1]) : null;
        return bytes != null && bytes.length > ID_BYTES && VerifierKey.isName(parts[0])
                ? Reading.of(new NoteSignature(parts[0], parts[1]))
                : SignedNote.refused("A signature line of a note is a dash, a name and base64.");
    }

    byte[] bytes() {
        return Objects.requireNonNull(Base64Url.standard(value));
    }

    byte[] keyId() {
        return Arrays.copyOf(bytes(), ID_BYTES);
    }

    /** The line with its end. */
    public String line() {
        return DASH + name + " " + value + "\n";
    }
}
