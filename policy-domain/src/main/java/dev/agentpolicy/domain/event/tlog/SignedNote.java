package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A text with signatures (C2SP signed-note). The text means nothing before {@link #verify} has found a known key.
 *
 * @param text what is signed, with the end of its last line
 * @param signatures of known and unknown keys
 */
public record SignedNote(String text, List<NoteSignature> signatures) {
    /** The most signatures of a note that is read. */
    public static final int MAX_SIGNATURES = 100;

    private static final int MAX_LENGTH = 1_000_000;

    public SignedNote {
        signatures = List.copyOf(signatures);
    }

    /** Reads a note without checking any signature. */
    public static Reading<SignedNote> read(String note) {
        int blank = note.lastIndexOf("\n\n");
        if (note.length() > MAX_LENGTH || blank <= 0 || !note.endsWith("\n") || blank + 2 == note.length()) {
            return refused("A note is a text, an empty line and signature lines, of at most 1,000,000 characters.");
        }
        if (note.chars().anyMatch(c -> c < ' ' && c != '\n')) {
            return refused("A note has no control characters.");
        }
        List<NoteSignature> signatures = new ArrayList<>();
        for (String line : note.substring(blank + 2, note.length() - 1).split("\n", -1)) {
            Reading<NoteSignature> read = NoteSignature.read(line);
            if (!read.isRead()) {
                return Reading.wrong(read.problems());
            }
            signatures.add(read.orElseThrow());
        }
        return signatures.size() > MAX_SIGNATURES
                ? refused("A note has at most " + MAX_SIGNATURES + " signatures.")
                : Reading.of(new SignedNote(note.substring(0, blank + 1), signatures));
    }

    static <T> Reading<T> refused(String why) {
        return Reading.wrong(List.of(new Problem("note", why)));
    }

    /** The note with another signature. */
    public SignedNote with(NoteSignature signature) {
        return new SignedNote(
                text, Stream.concat(signatures.stream(), Stream.of(signature)).toList());
    }

    /** The note as it is published. */
    public String note() {
        return text + "\n" + signatures.stream().map(NoteSignature::line).collect(Collectors.joining());
    }

    /**
     * Checks the signatures of known keys and ignores all others.
     *
     * @return the keys that signed, each with the time of its cosignature; refused when a known key's signature is forged
     */
    public Reading<Map<VerifierKey, Instant>> verify(Collection<VerifierKey> known, SignatureCheck check) {
        Map<VerifierKey, Instant> signed = new LinkedHashMap<>();
        for (NoteSignature line : signatures) {
            for (VerifierKey key : known) {
                if (key.isVerifiable() && key.isOf(line)) {
                    Instant time = key.verify(text, line, check).orElse(null);
                    if (time == null) {
                        return refused("The signature of " + key.name() + " is not right.");
                    }
                    signed.putIfAbsent(key, time);
                }
            }
        }
        return Reading.of(signed);
    }
}
