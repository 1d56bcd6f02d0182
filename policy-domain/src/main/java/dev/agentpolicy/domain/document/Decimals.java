package dev.agentpolicy.domain.document;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a document writes its decimals. */
public enum Decimals {
    /** As JSON numbers only: what agents and users send. */
    NUMBERS,
    /** As JSON numbers or as decimal strings: what holdings may be sent as. */
    NUMBERS_OR_TEXT,
    /** As decimal strings only: what is hashed and signed. */
    TEXT;

    private static final int MAX_LENGTH = 64;
    /** Of what this service wrote itself: the most decimals a trade may have, and what stands before them. */
    private static final int MAX_SIGNED_LENGTH = 128;

    private static final Pattern PLAIN = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

    /** The number a value stands for, or null when it is not one. */
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

    /** The text of a decimal in a signed document: no exponent, no trailing zeros, no negative zero. */
    public static String text(BigDecimal decimal) {
        return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }
}
