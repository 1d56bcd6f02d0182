package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.event.tlog.LogPolicy.Witnessing;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a transparency log is doing, as its owners are told.
 *
 * @param witnessing null where no witness is asked
 * @param stopped null while the log is signed
 */
public record LogStatus(
        @Nullable Witnessing witnessing, @Nullable Stop stopped) {

    /** Why nothing of a log is signed any more, and since when. */
    public record Stop(String reason, Instant at) {}
}
