package dev.agentpolicy.app.config;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The service cannot run as it is set up; the message is one line that says what to change. */
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
