package dev.agentpolicy.domain.account;

/**
 * What a use case does to an account: a pure function, which may be applied again when a commit failed.
 *
 * @param <R> what its caller is told
 */
public interface Change<R> {

    /** Which parts of the account are to be loaded beside those that always are. */
    default LoadSpec needs() {
        return LoadSpec.NOTHING;
    }

    /** Reads the account; answers a result and what to record. */
    Outcome<R> apply(Account account);
}
