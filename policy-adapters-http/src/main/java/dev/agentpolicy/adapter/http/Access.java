package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.agent.Scope;
import org.jspecify.annotations.Nullable;

/** What a caller must have for a route. */
public enum Access {
    /** Nothing. */
    PUBLIC("none", null),
    /** Any key that works. */
    ANY_KEY("any key", null),
    READ("read", Scope.READ),
    VALIDATE("validate", Scope.VALIDATE),
    PROPOSE("propose", Scope.PROPOSE),
    /** The session of a user in the app. */
    SESSION("session", null);

    private final String documented;
    private final @Nullable Scope scope;

    Access(String documented, @Nullable Scope scope) {
        this.documented = documented;
        this.scope = scope;
    }

    /** As the documentation names it. */
    public String documented() {
        return documented;
    }

    /** Whether an agent must show its key. */
    boolean isKeyed() {
        return this != PUBLIC && this != SESSION;
    }

    /** Whether what is answered is a decision. */
    boolean isDeciding() {
        return this == VALIDATE || this == PROPOSE;
    }

    @Nullable
    Scope scope() {
        return scope;
    }
}
