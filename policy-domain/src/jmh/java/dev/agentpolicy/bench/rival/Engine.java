package dev.agentpolicy.bench.rival;

import java.util.Set;

/**
 * What decides the trades: it knows the eight rules and has each trade ready in the form it reads.
 *
 * @param <A> an answer, in the engine's own form
 */
interface Engine<A> {

    /** One decision, the part that is measured. */
    A decide(int trade);

    /** Names of the rules that are broken according to an answer; none when it allows. */
    Set<String> broken(A answer);

    /** Whether an answer names every broken rule, and not only the first. */
    default boolean tellsAll() {
        return true;
    }
}
