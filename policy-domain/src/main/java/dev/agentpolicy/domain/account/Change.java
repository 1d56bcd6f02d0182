package dev.agentpolicy.domain.account;

/**
 * What a use case does to an account: a pure function, which may be applied again when a commit failed.
 *
 * @param <R> what its caller is told
 */
public interface Change<R> {

    /** Which parts of the account are to be loaded beside those that always are. */
    default Needs needs() {
        return Needs.NOTHING;
    }

    /**
     * How many decisions this change records at most, if it records nothing else but them and one call of its key for each;
     * 0 if it may record something else. Stores append decisions without locking the account.
     */
    default int maxDecisions() {
        return 0;
    }

    /** Reads the account; answers a result and what to record. */
    Outcome<R> apply(Account account);
}
