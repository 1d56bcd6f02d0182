package dev.agentpolicy.adapter.http.wire;

import java.io.Serial;

/** Ends a call whose HTTP is wrong before any use case sees it: a body too large, a parameter that makes no sense. */
public final class Refused extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient ErrorAnswer answer;

    Refused(ErrorAnswer answer) {
        super(answer.message(), null, false, false);
        this.answer = answer;
    }

    public static Refused parameter(String name, String what) {
        return new Refused(ErrorAnswer.parameter(name, what));
    }

    ErrorAnswer answer() {
        return answer;
    }
}
