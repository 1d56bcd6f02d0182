package dev.agentpolicy.adapter.jdbc.dialect;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown if the service must not start on a database; the message says what to do. */
public final class UnusableDatabase extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public UnusableDatabase(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
