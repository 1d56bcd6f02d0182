package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Sha256;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a call, which binds a confirmation to it (docs/reference/passkeys.md): SHA-256 of method, path and body as
 * canonical JSON, without the confirmation itself.
 */
final class CallHash {
    private static final Set<String> CONFIRMATION = Set.of("confirmation", "password", "passkey");

    private CallHash() {}

    /** The hash of the call that is being answered. */
    static String of(Context ctx, Document body) {
        return of(ctx.method().name(), ctx.path(), body);
    }

    /** @param path with or without the prefix of the app API */
    static String of(String method, String path, Document body) {
        Map<String, @Nullable Object> members = new TreeMap<>(body.members());
        members.keySet().removeAll(CONFIRMATION);
        StringBuilder text = new StringBuilder("agent-policy/confirmation/v1\n");
        write(
                text,
                Map.of(
                        "body",
                        members,
                        "method",
                        method,
                        "path",
                        path.startsWith(AppApi.PREFIX) ? path : AppApi.PREFIX + path.substring(1)));
        return Sha256.hex(text.toString());
    }

    /** Members are sorted and numbers have one form, so that equal values are equal texts. */
    private static void write(StringBuilder out, @Nullable Object value) {
        if (value instanceof Document document) {
            write(out, document.members());
        } else if (value instanceof Map<?, ?> members) {
            char before = '{';
            for (Map.Entry<?, ?> member : new TreeMap<>(members).entrySet()) {
                write(out.append(before), String.valueOf(member.getKey()));
                write(out.append(':'), member.getValue());
                before = ',';
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            char before = '[';
            for (Object item : items) {
                write(out.append(before), item);
                before = ',';
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof BigDecimal number) {
            // Not plain: the digits of 1e999999999 would fill the heap.
            out.append(number.signum() == 0 ? "0" : number.stripTrailingZeros());
        } else if (value instanceof String text) {
            out.append('"')
                    .append(text.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        } else {
            // A truth, null, or a value that no field takes, so that the call itself is refused.
            out.append(value);
        }
    }
}
