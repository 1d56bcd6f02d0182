package dev.agentpolicy.adapter.http.route;

import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.DailyCount;
import org.jspecify.annotations.Nullable;

/** What a caller must have for a route. */
public enum Access {
    /** Nothing. */
    PUBLIC("none", null, true),
    /** Nothing; answered even when every thread of the server is busy. */
    PROBE("none", null, true),
    /** Any key that works. */
    ANY_KEY("any key", null, false),
    READ("read", Scope.READ, false),
    /** The same, for what is read together with the key. */
    READ_WITH_KEY("read", Scope.READ, true),
    VALIDATE("validate", Scope.VALIDATE, true),
    PROPOSE("propose", Scope.PROPOSE, true),
    /** The session of a user in the app. */
    SESSION("session", null, false);

    private final String documented;
    private final @Nullable Scope scope;
    private final boolean acceptsCachedKey;

    /**
     * What a caller must have.
     *
     * @param acceptsCachedKey whether a key in memory is enough at the door, as none is needed or the store is asked later
     */
    Access(String documented, @Nullable Scope scope, boolean acceptsCachedKey) {
        this.documented = documented;
        this.scope = scope;
        this.acceptsCachedKey = acceptsCachedKey;
    }

    /** As the documentation names it. */
    public String documented() {
        return documented;
    }

    /** Whether an agent must show its key. */
    boolean isKeyed() {
        return this != PUBLIC && this != PROBE && this != SESSION;
    }

    /** Whether a call is begun by the thread that read it, and waits for nothing on that thread. */
    public boolean runsOnIoThread() {
        return isKeyed() || this == PROBE;
    }

    /** When a call counts for the daily call cap of its key. */
    public DailyCount dailyCount() {
        return isDeciding() ? DailyCount.WITH_ITS_DECISION : isKeyed() ? DailyCount.AT_ONCE : DailyCount.NEVER;
    }

    /** Whether the door need not ask the store. */
    public boolean acceptsCachedKey() {
        return acceptsCachedKey;
    }

    /** Whether what is answered is a decision. */
    public boolean isDeciding() {
        return this == VALIDATE || this == PROPOSE;
    }

    @Nullable
    public Scope scope() {
        return scope;
    }
}
