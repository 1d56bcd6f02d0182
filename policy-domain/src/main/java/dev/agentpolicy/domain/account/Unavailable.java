package dev.agentpolicy.domain.account;

import java.io.Serial;

/** The outside world cannot take or give what was asked, and may again in a moment. */
public final class Unavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public Unavailable(String message) {
        super(message);
    }

    public Unavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
