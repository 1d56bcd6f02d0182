package dev.agentpolicy.domain.event.canonical;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Base64url without padding (RFC 4648, section 5). Decoding is strict: all bytes have exactly one text. */
public final class Base64Url {
    public static final int SALT_BYTES = 16;
    public static final int KEY_BYTES = 32;
    public static final int SIGNATURE_BYTES = 64;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private Base64Url() {}

    public static String encode(byte[] bytes) {
        return ENCODER.encodeToString(bytes);
    }

    /** The bytes of a text, or null when it has foreign characters, padding or unused bits that are set. */
    public static byte @Nullable [] decode(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            return encode(bytes).equals(text) ? bytes : null;
        } catch (IllegalArgumentException foreign) {
            return null;
        }
    }

    /** The bytes of a text, or null unless there are exactly this many. */
    public static byte @Nullable [] decode(String text, int length) {
        byte[] bytes = text.length() > 2 * length + 2 ? null : decode(text);
        return bytes != null && bytes.length == length ? bytes : null;
    }

    /** The bytes of a text in the standard alphabet with padding (RFC 4648, section 4), just as strictly; else null. */
    public static byte @Nullable [] standard(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return Base64.getEncoder().encodeToString(bytes).equals(text) ? bytes : null;
        } catch (IllegalArgumentException foreign) {
            return null;
        }
    }

    public static boolean isText(String text, int length) {
        return decode(text, length) != null;
    }
}
