package dev.agentpolicy.adapter.jdbc.sql;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers by which stored events name signing keys. A number keeps its key, so each is read once. Statements on events
 * need no table of keys then, which in a cluster lies on another server than the events.
 */
public final class KeyNumbers {
    private final Reads reads;
    private volatile Known known = Known.NONE;

    /** @param reads over connections that nobody holds while reading events */
    public KeyNumbers(Reads reads) {
        this.reads = reads;
    }

    private record Known(Map<String, Short> numbers, Map<Short, String> kids) {
        static final Known NONE = new Known(Map.of(), Map.of());
    }

    /** Forgets everything, for when the database may be another one than before. */
    public void forget() {
        known = Known.NONE;
    }

    /** The number of a stored key. Blocks on a query if this process does not know it yet. */
    public short number(String kid) {
        Short number = known.numbers.get(kid);
        return number != null ? number : required(read().numbers.get(kid), kid);
    }

    /** The key of a number. Blocks on a query if this process does not know it yet. */
    public String kid(short number) {
        String kid = known.kids.get(number);
        return kid != null ? kid : required(read().kids.get(number), number);
    }

    private Known read() {
        Known read = new Known(new HashMap<>(), new HashMap<>());
        reads.list("SELECT id, kid FROM signing_key", row -> Map.entry(row.getShort("id"), row.getString("kid")))
                .forEach(key -> {
                    read.numbers.put(key.getValue(), key.getKey());
                    read.kids.put(key.getKey(), key.getValue());
                });
        known = read;
        return read;
    }

    private static <T> T required(@Nullable T found, Object asked) {
        if (found == null) {
            throw new IllegalStateException("The signing key " + asked + " is not stored.");
        }
        return found;
    }
}
