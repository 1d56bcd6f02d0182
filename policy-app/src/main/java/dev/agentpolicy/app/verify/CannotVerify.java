package dev.agentpolicy.app.verify;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** There is nothing to give a verdict on: a file or a service that cannot be read; the message says what to do. */
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
