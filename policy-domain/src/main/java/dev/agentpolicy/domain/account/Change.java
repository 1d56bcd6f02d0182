package dev.agentpolicy.domain.account;

/**
 * What a use case does to an account. A pure function: it may be applied again when a commit fails.
 *
 * @param <R> the result for the caller
 */
public interface Change<R> {

    /** The parts of the account to load in addition to those that are always loaded. */
    default LoadSpec needs() {
        return LoadSpec.NOTHING;
    }

    /**
     * How many decisions this change records at most, if it records nothing else but them and one call of its key for each;
     * 0 if it may record something else. Stores append decisions without locking the account.
     */
    default int maxDecisions() {
        return 0;
    }

    /** Reads the account and returns a result and what to record. */
    Outcome<R> apply(Account account);
}
