package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Sha256;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The secret of an agent key, {@code svc_live_<64 hex>} or {@code svc_test_<64 hex>}, or an access token of a connection,
 * {@code svc_at_<64 hex>}; never printed, never stored.
 */
public final class Credential {
    private static final String ACCESS_TOKEN = "svc_at_";
    private static final List<String> PREFIXES = List.of(prefix(KeyType.LIVE), prefix(KeyType.TEST), ACCESS_TOKEN);
    private static final int HEX_LENGTH = 64;
    private static final int LAST = 4;

    private final String prefix;
    private final String text;

    private Credential(String prefix, String text) {
        this.prefix = prefix;
        this.text = text;
    }

    /** Parses what a caller presented; empty when it does not have the form of a credential. */
    public static Optional<Credential> parse(String text) {
        for (String prefix : PREFIXES) {
            if (text.length() == prefix.length() + HEX_LENGTH
                    && text.startsWith(prefix)
                    && isLowerHex(text, prefix.length())) {
                return Optional.of(new Credential(prefix, text));
            }
        }
        return Optional.empty();
    }

    /** A new credential from 32 random bytes. */
    public static Credential of(KeyType type, byte[] random) {
        return parse(prefix(type) + HexFormat.of().formatHex(random)).orElseThrow();
    }

    /** A new access token from 32 bytes that nobody can guess. */
    public static Credential accessToken(byte[] secret) {
        return parse(ACCESS_TOKEN + HexFormat.of().formatHex(secret)).orElseThrow();
    }

    /** SHA-256 of the whole text, 64 hex characters. Only this is stored. */
    public String hash() {
        return Sha256.hex(text);
    }

    /** The last four characters, by which a user recognises the key. */
    public String last4() {
        return text.substring(text.length() - LAST);
    }

    /** The secret itself, shown once to the user who mints or rotates the key. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return prefix + "...";
    }

    private static String prefix(KeyType type) {
        return "svc_" + type.wireName() + "_";
    }

    private static boolean isLowerHex(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }
}
