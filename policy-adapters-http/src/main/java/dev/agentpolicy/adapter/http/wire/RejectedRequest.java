package dev.agentpolicy.adapter.http.wire;

import java.io.Serial;

/** Ends a call whose HTTP is wrong before any use case sees it: a body too large, a parameter that makes no sense. */
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
