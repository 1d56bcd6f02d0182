package dev.agentpolicy.domain.document;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The form of the decimals of a document. */
public enum Decimals {
    /** JSON numbers only, as agents and users send them. */
    NUMBERS,
    /** JSON numbers or decimal strings, as users send holdings. */
    NUMBERS_OR_TEXT,
    /** Decimal strings only, as in hashed and signed documents. */
    TEXT;

    private static final int MAX_LENGTH = 64;
    /** Enough for the most decimals that a trade may have and the digits before them. */
    private static final int MAX_SIGNED_LENGTH = 128;

    private static final Pattern PLAIN = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

    /** The number that a value represents, or null. */
    @Nullable
    BigDecimal read(@Nullable Object value) {
        if (value instanceof BigDecimal number && this != TEXT) {
            return number;
        }
        boolean plain = value instanceof String text
                && this != NUMBERS
                && text.length() <= (this == TEXT ? MAX_SIGNED_LENGTH : MAX_LENGTH)
                && PLAIN.matcher(text).matches();
        return plain ? new BigDecimal((String) value) : null;
    }

    /** The text of a decimal in a signed document, without exponent, trailing zeros and negative zero. */
    public static String text(BigDecimal decimal) {
        return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }
}
