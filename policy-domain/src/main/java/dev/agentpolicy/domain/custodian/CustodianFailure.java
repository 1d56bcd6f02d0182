package dev.agentpolicy.domain.custodian;

import java.io.Serial;

/**
 * Thrown when a custodian did not do what it was asked to. The message is an English sentence for the user and contains no
 * credential.
 */
public final class CustodianFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final boolean isRefusal;

    private CustodianFailure(String reason, boolean isRefusal) {
        super(reason, null, false, false);
        this.isRefusal = isRefusal;
    }

    /** The custodian will not do it; the same call would be refused again. */
    public static CustodianFailure refused(String reason) {
        return new CustodianFailure(reason, true);
    }

    /** It is not known whether the custodian did it. The same call can be made again. */
    public static CustodianFailure away(String reason) {
        return new CustodianFailure(reason, false);
    }

    /** Whether the custodian refused; otherwise it is not known whether it did it. */
    public boolean isRefusal() {
        return isRefusal;
    }

    /** The sentence for the user. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
