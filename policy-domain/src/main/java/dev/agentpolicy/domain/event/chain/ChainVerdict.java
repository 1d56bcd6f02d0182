package dev.agentpolicy.domain.event.chain;

import java.util.function.Function;

/** The result of verification: intact up to a point, or broken. */
public sealed interface ChainVerdict {

    <R> R fold(Function<Intact, R> intact, Function<Broken, R> broken);

    /** Continues from where an intact verdict ended; a broken one stays broken. */
    default ChainVerdict then(Function<ChainPoint, ChainVerdict> next) {
        return fold(intact -> next.apply(intact.upTo()), broken -> broken);
    }

    default boolean isIntact() {
        return fold(intact -> true, broken -> false);
    }

    /**
     * Every check passed.
     *
     * @param upTo the point to resume from, also in a later verification
     */
    record Intact(ChainPoint upTo) implements ChainVerdict {

        @Override
        public <R> R fold(Function<Intact, R> intact, Function<Broken, R> broken) {
            return intact.apply(this);
        }
    }

    /**
     * A check failed.
     *
     * @param seq the number of the first row that cannot be trusted
     * @param reason one sentence
     */
    record Broken(long seq, String reason) implements ChainVerdict {

        @Override
        public <R> R fold(Function<Intact, R> intact, Function<Broken, R> broken) {
            return broken.apply(this);
        }
    }
}
