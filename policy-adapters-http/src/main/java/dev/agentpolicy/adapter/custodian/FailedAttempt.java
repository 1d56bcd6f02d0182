package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.CustodianFailure;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;

/** A call failed in a way that another attempt may not. What it was to do may have been done. */
final class FailedAttempt extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Optional<Duration> pause;

    /** @param reason a sentence for the user */
    FailedAttempt(String reason) {
        this(reason, Optional.empty());
    }

    FailedAttempt(String reason, Optional<Duration> pause) {
        super(reason, null, false, false);
        this.pause = pause;
    }

    /** An answer is not what the broker's interface promises: a member is missing or has the wrong form. */
    static FailedAttempt malformed(String member) {
        return new FailedAttempt("Alpaca's answer cannot be read: the answer has no usable " + member + ".");
    }

    /** How long the broker wants to be left alone, if it said so. */
    Optional<Duration> pause() {
        return pause;
    }

    /** What the user is told when there is no other attempt. */
    CustodianFailure away() {
        return CustodianFailure.away(String.valueOf(getMessage()));
    }
}
