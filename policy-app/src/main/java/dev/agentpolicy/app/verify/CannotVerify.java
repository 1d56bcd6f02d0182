package dev.agentpolicy.app.verify;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown when a file or a service cannot be read, so that there is no verdict. The message says what to do. */
final class CannotVerify extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    CannotVerify(String message) {
        this(message, null);
    }

    CannotVerify(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
