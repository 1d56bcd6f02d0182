package dev.agentpolicy.adapter.jdbc.backup;

import org.jspecify.annotations.Nullable;

/** A backup failed and left no file behind. The message says why, and what to do. */
public final class BackupFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BackupFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
