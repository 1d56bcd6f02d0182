package dev.agentpolicy.domain.event.canonical;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.PlainText;
import dev.agentpolicy.domain.document.Sha256;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.function.Predicate;

/** The forms of the members that rows, heads, keys and manifests share, written exactly as docs/reference/events.md says. */
public final class WireFields {
    public static final Codec<UserId> USER_ID = Codec.ID.as(UserId::new, UserId::value);
    public static final Codec<Instant> INSTANT =
            Codec.meaning("must be written YYYY-MM-DDTHH:MM:SS.ffffffZ", Instants::parse, Instants::format);
    public static final Codec<String> HASH = text("must be 64 lower-case hex characters", Sha256::isHex);
    /** What people wrote: 1 to 500 characters, no control characters. */
    public static final Codec<String> TEXT =
            text("must have 1 to 500 characters and no control characters", WireFields::isText);

    /** Bytes in base64url, at least one. */
    public static final Codec<String> BYTES = text(
            "must be bytes in base64url without padding", text -> !text.isEmpty() && Base64Url.decode(text) != null);

    public static final Codec<String> KEY_ID = bytes(Base64Url.KEY_BYTES);
    public static final Codec<String> SIGNATURE = bytes(Base64Url.SIGNATURE_BYTES);

    private static final BigDecimal MAX_SEQ = BigDecimal.valueOf(CanonicalForm.MAX_INTEGER);

    private static final int MAX_TEXT = 500;

    private WireFields() {}

    /** Whether a text has 1 to 500 characters, none of them a control character. */
    public static boolean isText(String text) {
        int length = text.codePointCount(0, text.length());
        return length >= 1 && length <= MAX_TEXT && PlainText.isPlain(text);
    }

    /** The number of a row. */
    public static Codec<Long> seq(long min) {
        return new Codec<>(
                (fields, name) -> {
                    BigDecimal number = fields.decimal(name, BigDecimal.valueOf(min), MAX_SEQ, 0);
                    return number == null ? null : Long.valueOf(number.longValueExact());
                },
                number -> number);
    }

    /** A member that always has the same text. */
    public static Codec<String> only(String constant) {
        return text("must be " + constant, constant::equals);
    }

    private static Codec<String> bytes(int length) {
        return text(
                "must be " + length + " bytes in base64url without padding", text -> Base64Url.isText(text, length));
    }

    private static Codec<String> text(String expected, Predicate<String> isRight) {
        return Codec.meaning(expected, text -> isRight.test(text) ? text : null, text -> text);
    }

    /** The message of an exception without its full stop, so that it can end another sentence. */
    public static String clause(IllegalArgumentException refused) {
        return String.valueOf(refused.getMessage()).replaceFirst("\\.$", "");
    }
}
