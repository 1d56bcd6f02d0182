package dev.agentpolicy.adapter.jdbc.log;

import org.jspecify.annotations.Nullable;

/**
 * A part of a chain.
 *
 * @param from the first seq
 * @param before the seq after the last one; null for the end of the chain
 */
record SeqRange(long from, @Nullable Long before) {
    static final SeqRange ALL = new SeqRange(1, null);

    /** The seq after the last one, for a query. */
    long end() {
        return before == null ? Long.MAX_VALUE : before;
    }
}
