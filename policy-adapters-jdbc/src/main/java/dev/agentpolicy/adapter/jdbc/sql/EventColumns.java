package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.chain.EventKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How rows hold hashes, signatures and kinds of events: as 32 bytes, as 64 bytes, and as a small number. */
public final class EventColumns {
    private static final HexFormat HEX = HexFormat.of();
    private static final Map<Short, EventKind> KINDS = Stream.of(EventKind.values())
            .collect(Collectors.toUnmodifiableMap(EventColumns::kind, Function.identity()));

    private EventColumns() {}

    /** The number of a kind. It is stored, so it never changes its meaning. */
    public static short kind(EventKind kind) {
        return switch (kind) {
            case IPS_CREATED -> 1;
            case IPS_AMENDED -> 2;
            case KEY_MINTED -> 3;
            case KEY_REVOKED -> 4;
            case KEY_ROTATED -> 5;
            case GUARDRAIL_DECISION -> 6;
            case DRIFT_DETECTED -> 7;
            case DRIFT_CLEARED -> 8;
            case TRADE_OBSERVED -> 9;
            case SIGNING_KEY_ROTATED -> 10;
        };
    }

    public static EventKind kind(ResultSet row) throws SQLException {
        short number = row.getShort("kind");
        EventKind kind = KINDS.get(number);
        if (kind == null) {
            throw new IllegalStateException("An event of the unknown kind " + number + " is stored.");
        }
        return kind;
    }

    public static byte[] hash(String hex) {
        return HEX.parseHex(hex);
    }

    public static String hash(ResultSet row, String column) throws SQLException {
        return HEX.formatHex(row.getBytes(column));
    }

    /** The same for a column that may be null. */
    public static @Nullable String hashOrNull(ResultSet row, String column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : HEX.formatHex(bytes);
    }

    public static byte[] signature(String text) {
        return Objects.requireNonNull(
                Base64Url.decode(text, Base64Url.SIGNATURE_BYTES), "The text of a signature is malformed.");
    }

    public static String signature(ResultSet row) throws SQLException {
        return Base64Url.encode(row.getBytes("signature"));
    }
}
