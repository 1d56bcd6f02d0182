package dev.agentpolicy.adapter.http.server;

import java.io.Serial;

/** The service cannot listen on the configured address. The message says what to do. */
public final class UnusableAddress extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    UnusableAddress(String message, Throwable cause) {
        super(message, cause);
    }
}
