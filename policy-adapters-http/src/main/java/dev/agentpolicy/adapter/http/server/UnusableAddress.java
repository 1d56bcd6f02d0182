package dev.agentpolicy.adapter.http.server;

import java.io.Serial;

/** The service cannot listen where it was told to; the message says what to do. */
public final class UnusableAddress extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    UnusableAddress(String message, Throwable cause) {
        super(message, cause);
    }
}
