package dev.agentpolicy.adapter.signing;

import org.jspecify.annotations.Nullable;

/** The service cannot sign. The message says what to do, and never contains any part of a key. */
public final class UnusableKeys extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableKeys(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
