package dev.agentpolicy.domain.simulation;

import java.util.Arrays;

/** Keeps the first broken promise, wherever in a chain of futures it was noticed. */
final class FirstViolation {
    private Breach first;

    /** A promise that did not hold. */
    static final class Breach extends AssertionError {
        private static final long serialVersionUID = 1;
        private final Invariant invariant;

        Breach(Invariant invariant, String what, Throwable cause) {
            super(invariant + ": " + what, cause);
            this.invariant = invariant;
        }

        Invariant invariant() {
            return invariant;
        }
    }

    void require(boolean holds, Invariant invariant, String what, Object... about) {
        if (!holds) {
            throw keep(new Breach(invariant, what + " " + Arrays.toString(about), null));
        }
    }

    /** Something was thrown that nobody was to expect. */
    <T> T unexpected(Throwable thrown) {
        throw thrown instanceof Breach breach
                ? breach
                : keep(new Breach(Invariant.NOTHING_ELSE_GOES_WRONG, thrown.toString(), thrown));
    }

    void rethrow() {
        if (first != null) {
            throw first;
        }
    }

    private Breach keep(Breach breach) {
        first = first == null ? breach : first;
        return breach;
    }
}
