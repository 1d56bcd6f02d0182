package dev.agentpolicy.domain.event.canonical;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members that rows, heads, keys and manifests share (docs/reference/events.md). Each method reports a
 * problem and returns null when the member is missing or not written exactly as documented.
 */
public final class WireFields {
    private static final BigDecimal MAX_SEQ = BigDecimal.valueOf(CanonicalForm.MAX_INTEGER);

    private WireFields() {}

    public static @Nullable UserId userId(Fields fields) {
        UUID uuid = Codec.ID.reader().read(fields, "userId");
        return uuid == null ? null : new UserId(uuid);
    }

    public static @Nullable BigDecimal seq(Fields fields, BigDecimal min) {
        return fields.decimal("seq", min, MAX_SEQ, 0);
    }

    public static @Nullable Instant instant(Fields fields, String name) {
        return fields.meaning(name, "must be written YYYY-MM-DDTHH:MM:SS.ffffffZ", Instants::parse);
    }

    public static @Nullable String hash(Fields fields, String name) {
        return fields.meaning(name, "must be 64 lower-case hex characters", text -> Sha256.isHex(text) ? text : null);
    }

    public static @Nullable String keyId(Fields fields, String name) {
        return bytes(fields, name, Base64Url.KEY_BYTES);
    }

    public static @Nullable String signature(Fields fields, String name) {
        return bytes(fields, name, Base64Url.SIGNATURE_BYTES);
    }

    private static @Nullable String bytes(Fields fields, String name, int length) {
        String expected = "must be " + length + " bytes in base64url without padding";
        return fields.meaning(name, expected, text -> Base64Url.isText(text, length) ? text : null);
    }

    /** The message of an exception without its full stop, so that it can end another sentence. */
    public static String clause(IllegalArgumentException refused) {
        return String.valueOf(refused.getMessage()).replaceFirst("\\.$", "");
    }
}
