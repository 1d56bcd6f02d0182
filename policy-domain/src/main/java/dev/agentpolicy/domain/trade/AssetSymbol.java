package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.document.Codec;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ticker of an asset, upper-cased: 1 to 32 of {@code A-Z 0-9 . - / _}. */
public record AssetSymbol(String value) implements Comparable<AssetSymbol> {
    public static final int MAX_LENGTH = 32;
    public static final String EXPECTED = "must be 1 to 32 of A-Z a-z 0-9 . - / _";

    public static final Codec<AssetSymbol> CODEC = Codec.meaning(EXPECTED, AssetSymbol::of, AssetSymbol::value);

    /** @throws IllegalArgumentException when the text is not a ticker */
    public AssetSymbol {
        if (!isTicker(value)) {
            throw new IllegalArgumentException("assetSymbol " + EXPECTED + ".");
        }
        value = value.toUpperCase(Locale.ROOT);
    }

    /** The symbol of a text, or null when it is not a ticker. */
    public static @Nullable AssetSymbol of(String text) {
        return isTicker(text) ? new AssetSymbol(text) : null;
    }

    /** A set of symbols in a document. */
    public static Codec<Set<AssetSymbol>> set(int max) {
        return Codec.set(max, EXPECTED, AssetSymbol::of, AssetSymbol::value);
    }

    private static boolean isTicker(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!plain && c != '.' && c != '-' && c != '/' && c != '_') {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compareTo(AssetSymbol other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
