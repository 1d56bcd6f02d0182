package dev.agentpolicy.domain.document;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the problems of a document, at most one for each field. Keeps the first {@link Fields#MAX_PROBLEMS} and
 * counts the rest, so that answers and rows of the log do not grow with the number of wrong fields.
 */
final class Problems {
    private final List<Problem> kept = new ArrayList<>(1);
    private final Set<String> fields = new HashSet<>();

    boolean isEmpty() {
        return fields.isEmpty();
    }

    boolean has(String field) {
        return fields.contains(field);
    }

    /** Adds a problem of a field, unless the field has one already. */
    void add(String field, String shown, String what) {
        if (fields.add(field) && kept.size() < Fields.MAX_PROBLEMS) {
            kept.add(new Problem(shown, shown + " " + what + "."));
        }
    }

    /** The problems kept. If there are more, the last one ends with the number of wrong fields. */
    List<Problem> toList() {
        if (fields.size() == kept.size()) {
            return List.copyOf(kept);
        }
        List<Problem> counted = new ArrayList<>(kept);
        Problem last = counted.remove(counted.size() - 1);
        counted.add(new Problem(last.field(), last.message() + " In all, " + fields.size() + " fields are wrong."));
        return List.copyOf(counted);
    }
}
