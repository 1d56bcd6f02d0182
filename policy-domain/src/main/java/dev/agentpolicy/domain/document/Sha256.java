package dev.agentpolicy.domain.document;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 hashes of texts, in UTF-8, and of bytes. */
public final class Sha256 {
    private static final HexFormat HEX = HexFormat.of();
    private static final int HEX_LENGTH = 64;

    /** Reused, because creating a digest costs as much as hashing a row. */
    private static final ThreadLocal<MessageDigest> DIGEST = ThreadLocal.withInitial(Sha256::digest);

    private Sha256() {}

    /** The hash of a text, as 64 lower-case hex characters. */
    public static String hex(String text) {
        return HEX.formatHex(of(text));
    }

    /** The hash of a text, as 32 bytes. */
    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The hash of the concatenation of some bytes. */
    public static byte[] of(byte[]... parts) {
        MessageDigest digest = DIGEST.get();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("Every Java has SHA-256.", absent);
        }
    }

    /** Whether a text consists of 64 lower-case hex characters. */
    public static boolean isHex(String text) {
        if (text.length() != HEX_LENGTH) {
            return false;
        }
        for (int i = 0; i < HEX_LENGTH; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }
}
