package dev.agentpolicy.app.verify;

import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Thrown for a text with half of a surrogate pair, which some JSON readers drop and others replace. Every verifier reports a
 * chain with such a text as broken.
 */
final class BrokenUnicode extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final Pattern WHOLE =
            Pattern.compile("\\\\\\\\|\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}");
    private static final Pattern HALF = Pattern.compile("\\\\u[dD][89a-fA-F]");

    BrokenUnicode() {
        super("A text has broken Unicode.");
    }

    /** Whether a JSON text escapes half of a pair. */
    static boolean isIn(byte[] json) {
        String text = new String(json, StandardCharsets.ISO_8859_1);
        return HALF.matcher(WHOLE.matcher(text).replaceAll("")).find();
    }
}
