package dev.agentpolicy.domain.event.chain;

import java.util.function.Function;

/** The result of verification: intact up to a point, or broken. */
public sealed interface ChainVerdict {

    default <R> R fold(Function<Intact, R> intact, Function<Broken, R> broken) {
        return this instanceof Intact right ? intact.apply(right) : broken.apply((Broken) this);
    }

    /** Continues from where an intact verdict ended; a broken one stays broken. */
    default ChainVerdict then(Function<ChainPoint, ChainVerdict> next) {
        return this instanceof Intact intact ? next.apply(intact.upTo()) : this;
    }

    default boolean isIntact() {
        return this instanceof Intact;
    }

    /**
     * Every check passed.
     *
     * @param upTo the point to resume from, also in a later verification
     */
    record Intact(ChainPoint upTo) implements ChainVerdict {}

    /**
     * A check failed.
     *
     * @param seq the number of the first row that cannot be trusted
     * @param reason one sentence
     */
    record Broken(long seq, String reason) implements ChainVerdict {}
}
