package dev.agentpolicy.adapter.http.wire;

import java.io.Serial;

/** Ends a call with an error response, such as that to a body that is too large or to a malformed parameter. */
public final class RejectedRequest extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient ErrorResponse answer;

    public RejectedRequest(ErrorResponse answer) {
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
