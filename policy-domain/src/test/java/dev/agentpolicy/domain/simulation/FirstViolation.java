package dev.agentpolicy.domain.simulation;

import java.util.Arrays;

/** Keeps the first violation of an invariant, also when it is found in a callback. */
final class FirstViolation {
    private Breach first;

    /** Records a violated invariant. */
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

    /** Records an unexpected exception. */
    <T> T unexpected(Throwable thrown) {
        throw thrown instanceof Breach breach
                ? breach
                : keep(new Breach(Invariant.NO_UNEXPECTED_EXCEPTION, thrown.toString(), thrown));
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
