package dev.agentpolicy.adapter.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentpolicy.domain.document.Instants;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a call. A parameter that is repeated, empty, malformed or out of range is refused by name, in
 * any encoding of that name. Unknown and undecodable names are ignored.
 */
public final class Query {
    private static final int MAX_LENGTH = 1024;
    private static final Pattern INTEGER = Pattern.compile("0|[1-9][0-9]{0,8}");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private final @Nullable String raw;

    private final Map<String, String> decoded;

    private Query(@Nullable String raw, Map<String, String> decoded) {
        this.raw = raw;
        this.decoded = decoded;
    }

    public static Query of(Context ctx) {
        return new Query(ctx.req().getQueryString(), Map.of());
    }

    /** Parameters that came by name, in no query string. */
    public static Query of(Map<String, String> parameters) {
        return new Query(null, Map.copyOf(parameters));
    }

    /** An integer within a range, or the default if it is absent. */
    public int integer(String name, int min, int max, int standard) {
        return parameter(name, "must be an integer from " + min + " to " + max, text -> {
                    int number = INTEGER.matcher(text).matches() ? Integer.parseInt(text) : -1;
                    return number >= min && number <= max ? number : null;
                })
                .orElse(standard);
    }

    public Optional<UUID> uuid(String name) {
        return parameter(name, "must be a UUID", Query::asUuid);
    }

    public Optional<Boolean> truth(String name) {
        return parameter(
                name,
                "must be true or false",
                text -> text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : null);
    }

    /** An RFC 3339 date-time with any fraction and offset. */
    public Optional<Instant> instant(String name) {
        return parameter(
                name,
                "must be a date-time such as 2026-11-21T09:40:00Z",
                text -> Instants.parseRfc3339(withPlus(text)));
    }

    /** Parses a parameter; the parser returns null for text that is invalid. */
    public <T> Optional<T> parameter(String name, String expected, Function<String, @Nullable T> meaning) {
        String text = only(name);
        if (text == null) {
            return Optional.empty();
        }
        T value = text.isEmpty() || text.length() > MAX_LENGTH ? null : meaning.apply(text);
        if (value == null) {
            throw RejectedRequest.parameter(name, expected);
        }
        return Optional.of(value);
    }

    /** A UUID in its full form, or null. */
    public static @Nullable UUID asUuid(String text) {
        return UUID_TEXT.matcher(text).matches() ? UUID.fromString(text) : null;
    }

    /** An integer such as the id of a request, or null. */
    public static @Nullable Long asNumber(String text) {
        return WHOLE_NUMBER.matcher(text).matches() ? Long.valueOf(text) : null;
    }

    private @Nullable String only(String name) {
        List<String> values = values(name);
        if (values.size() > 1) {
            throw RejectedRequest.parameter(name, "must not be repeated");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    @SuppressWarnings("StringSplitter") // An empty pair has an empty name and is skipped.
    private List<String> values(String name) {
        List<String> values = new ArrayList<>(1);
        String given = decoded.get(name);
        if (given != null) {
            values.add(given);
        }
        if (raw == null || raw.indexOf('%') < 0 && !raw.contains(name)) {
            return values;
        }
        for (String pair : raw.split("&")) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (name.equals(percentDecoded(key))) {
                values.add(equals < 0 ? "" : value(name, pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static String value(String name, String text) {
        String value = percentDecoded(text);
        if (value == null) {
            throw RejectedRequest.parameter(name, "is not percent-encoded UTF-8");
        }
        return value;
    }

    /** Decodes a name or value; null if it is not percent-encoded UTF-8. */
    private static @Nullable String percentDecoded(String text) {
        if (text.indexOf('%') < 0) {
            return text.replace('+', ' ');
        }
        try {
            byte[] bytes = URLDecoder.decode(text, ISO_8859_1).getBytes(ISO_8859_1);
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (IllegalArgumentException | CharacterCodingException broken) {
            return null;
        }
    }

    /** A plus sign that was not percent-encoded arrives as a space. */
    private static String withPlus(String text) {
        int sign = text.length() - "+00:00".length();
        return sign > 0 && text.charAt(sign) == ' ' ? text.substring(0, sign) + "+" + text.substring(sign + 1) : text;
    }
}
