package dev.agentpolicy.adapter.http.json;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a tree of maps, lists and plain values, such as the manifest of signing keys. */
public final class TreeJson {

    private TreeJson() {}

    /** Writes every member of a map. */
    public static void write(JsonWriter out, Map<?, ?> tree) {
        tree.forEach((name, value) -> member(out, String.valueOf(name), value));
    }

    private static void member(JsonWriter out, String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> nested) {
            out.object(name, nested, TreeJson::write);
        } else if (value instanceof List<?> list) {
            list(out, name, list);
        } else if (value instanceof Boolean truth) {
            out.truth(name, truth);
        } else if (value instanceof Integer || value instanceof Long) {
            out.integer(name, ((Number) value).longValue());
        } else if (value instanceof BigDecimal decimal) {
            out.number(name, decimal);
        } else {
            out.text(name, value == null ? null : value.toString());
        }
    }

    private static void list(JsonWriter out, String name, List<?> list) {
        if (list.stream().allMatch(item -> item instanceof Map)) {
            out.array(name, list, (nested, item) -> write(nested, (Map<?, ?>) item));
        } else {
            out.texts(name, list, String::valueOf);
        }
    }
}
