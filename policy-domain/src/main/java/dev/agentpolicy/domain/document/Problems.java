package dev.agentpolicy.domain.document;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects what is wrong with a document, at most one problem a field. The first {@link Fields#MAX_PROBLEMS} are told, the
 * rest is only counted, so that neither an answer nor a row of the log grows with the number of bad fields.
 */
final class Problems {
    private final List<Problem> told = new ArrayList<>(1);
    private final Set<String> fields = new HashSet<>();

    boolean isEmpty() {
        return fields.isEmpty();
    }

    boolean has(String field) {
        return fields.contains(field);
    }

    /** Adds what is wrong with a field, unless something is known to be wrong with it already. */
    void add(String field, String shown, String what) {
        if (fields.add(field) && told.size() < Fields.MAX_PROBLEMS) {
            told.add(new Problem(shown, shown + " " + what + "."));
        }
    }

    /** The problems that are told. If there are more, the last of them ends with how many fields are wrong. */
    List<Problem> toList() {
        if (fields.size() == told.size()) {
            return List.copyOf(told);
        }
        List<Problem> counted = new ArrayList<>(told);
        Problem last = counted.remove(counted.size() - 1);
        counted.add(new Problem(last.field(), last.message() + " In all, " + fields.size() + " fields are wrong."));
        return List.copyOf(counted);
    }
}
