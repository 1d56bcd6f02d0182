package dev.agentpolicy.app.config;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown when the service cannot run with its settings. The message is one line that says what to change. */
public final class CannotStart extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public CannotStart(String message) {
        this(message, null);
    }

    public CannotStart(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
