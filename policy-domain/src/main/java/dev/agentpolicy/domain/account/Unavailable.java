package dev.agentpolicy.domain.account;

import java.io.Serial;

/** Thrown when a store, a custodian or another outside system cannot serve a call now; the call can be retried. */
public final class Unavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final boolean isStopped;

    public Unavailable(String message) {
        super(message);
        this.isStopped = false;
    }

    public Unavailable(String message, Throwable cause) {
        super(message, cause);
        this.isStopped = false;
    }

    private Unavailable(String message, boolean isStopped) {
        super(message, null, false, false);
        this.isStopped = isStopped;
    }

    /**
     * For work that the service refuses for the time being, such as writes to a full disk. Has no stack trace, since it
     * may be thrown for every call.
     *
     * @param reason a sentence for the operator, which was logged when the work was stopped
     */
    public static Unavailable stopped(String reason) {
        return new Unavailable(reason, true);
    }

    /** Whether the reason is already in the log, so that a call which fails with this need not be logged. */
    public boolean isStopped() {
        return isStopped;
    }
}
