package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.decision.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that is in the log.
 *
 * @param value what was recorded
 * @param receipt where, or the last of several; null when there was nothing to record
 */
public record Recorded<T>(T value, @Nullable Receipt receipt) {

    static <T> Recorded<T> last(T value, List<Receipt> receipts) {
        return new Recorded<>(value, receipts.isEmpty() ? null : receipts.get(receipts.size() - 1));
    }
}
