package dev.agentpolicy.domain.simulation;

import java.util.Arrays;

/** Keeps the first broken promise, wherever in a chain of futures it was noticed. */
final class Verdict {
    private Breach first;

    /** A promise that did not hold. */
    static final class Breach extends AssertionError {
        private static final long serialVersionUID = 1;
        private final Promise promise;

        Breach(Promise promise, String what, Throwable cause) {
            super(promise + ": " + what, cause);
            this.promise = promise;
        }

        Promise promise() {
            return promise;
        }
    }

    void require(boolean holds, Promise promise, String what, Object... about) {
        if (!holds) {
            throw keep(new Breach(promise, what + " " + Arrays.toString(about), null));
        }
    }

    /** Something was thrown that nobody was to expect. */
    <T> T unexpected(Throwable thrown) {
        throw thrown instanceof Breach breach
                ? breach
                : keep(new Breach(Promise.NOTHING_ELSE_GOES_WRONG, thrown.toString(), thrown));
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
