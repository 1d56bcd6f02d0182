package dev.agentpolicy.domain.account;

import java.io.Serial;

/** The outside world cannot take or give what was asked, and may again in a moment. */
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
     * The service does not take this kind of work for the time being. Carries no stack trace, since many callers are told
     * the same.
     *
     * @param reason for the operator, who has been told already
     */
    public static Unavailable stopped(String reason) {
        return new Unavailable(reason, true);
    }

    /** Whether the operator knows already, so that one more line in the log says nothing new. */
    public boolean isStopped() {
        return isStopped;
    }
}
