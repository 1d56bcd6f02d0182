package dev.agentpolicy.app.guard;

import java.util.Optional;

/** Counts the rows that a database lacks of chains whose heads are known, and describes them in a sentence. */
public final class MissingRows {
    private long shorter;
    private long rows;
    private long different;

    /** A chain that ends before a row it once had. */
    public void lacks(long missing) {
        shorter++;
        rows += missing;
    }

    /** A chain that has another row where one is known. */
    public void differs() {
        different++;
    }

    /**
     * A sentence about missing or different rows; empty if there are none.
     *
     * @param keeper what the ends are known from, with its verb, as in "the anchor has"
     */
    public Optional<String> sentence(String keeper) {
        if (different > 0) {
            String which = different == 1 ? "1 chain has" : different + " chains have";
            return Optional.of(which + " another row where " + keeper + " one of theirs.");
        }
        if (shorter == 0) {
            return Optional.empty();
        }
        String which = shorter == 1 ? "1 chain lacks " : shorter + " chains lack ";
        return Optional.of(which + rows + (rows == 1 ? " row." : " rows."));
    }
}
