package dev.agentpolicy.adapter.http.wire;

import java.io.Serial;

/**
 * Ends a call whose HTTP is invalid, such as a body that is too large or a malformed parameter, before it reaches a use
 * case.
 */
public final class RejectedRequest extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient ErrorResponse answer;

    RejectedRequest(ErrorResponse answer) {
        super(answer.message(), null, false, false);
        this.answer = answer;
    }

    public static RejectedRequest parameter(String name, String what) {
        return new RejectedRequest(ErrorResponse.parameter(name, what));
    }

    ErrorResponse answer() {
        return answer;
    }
}
