package dev.agentpolicy.domain.event.chain;

import java.util.function.Function;

/** What came of verifying: intact up to a point, or broken. */
public sealed interface ChainVerdict {

    <R> R fold(Function<Intact, R> intact, Function<Broken, R> broken);

    /** Goes on verifying from where this ended; what is broken stays broken. */
    default ChainVerdict then(Function<ChainPoint, ChainVerdict> next) {
        return fold(intact -> next.apply(intact.upTo()), broken -> broken);
    }

    default boolean isIntact() {
        return fold(intact -> true, broken -> false);
    }

    /**
     * Everything looked at holds.
     *
     * @param upTo where to go on, and what to save for the next time
     */
    record Intact(ChainPoint upTo) implements ChainVerdict {

        @Override
        public <R> R fold(Function<Intact, R> intact, Function<Broken, R> broken) {
            return intact.apply(this);
        }
    }

    /**
     * Something does not hold.
     *
     * @param seq the first row that cannot be trusted
     * @param reason one sentence
     */
    record Broken(long seq, String reason) implements ChainVerdict {

        @Override
        public <R> R fold(Function<Intact, R> intact, Function<Broken, R> broken) {
            return broken.apply(this);
        }
    }
}
