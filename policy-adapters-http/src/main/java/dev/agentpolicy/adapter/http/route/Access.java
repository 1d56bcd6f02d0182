package dev.agentpolicy.adapter.http.route;

import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.DailyCount;
import org.jspecify.annotations.Nullable;

/** What a caller needs in order to call a route. */
public enum Access {
    /** Nothing. */
    PUBLIC("none", null, true),
    /** Nothing. Answered even if every thread of the server is busy. */
    PROBE("none", null, true),
    /** Any valid key. */
    ANY_KEY("any key", null, false),
    READ("read", Scope.READ, false),
    /** The same scope, for state that is read together with the key. */
    READ_WITH_KEY("read", Scope.READ, true),
    VALIDATE("validate", Scope.VALIDATE, true),
    PROPOSE("propose", Scope.PROPOSE, true),
    /** A live key with that scope, or the session of a user. */
    READ_OR_SESSION("read or session", Scope.READ, false),
    /** The session of a user. */
    SESSION("session", null, false);

    private final String documented;
    private final @Nullable Scope scope;
    private final boolean acceptsCachedKey;

    /**
     * Creates a requirement.
     *
     * @param acceptsCachedKey whether the gate accepts a cached key: either no key is needed, or the store checks it
     *     later
     */
    Access(String documented, @Nullable Scope scope, boolean acceptsCachedKey) {
        this.documented = documented;
        this.scope = scope;
        this.acceptsCachedKey = acceptsCachedKey;
    }

    /** The name in the documentation. */
    public String documented() {
        return documented;
    }

    /** Whether nobody but an agent with its key may call. */
    boolean isKeyed() {
        return this != PUBLIC && this != PROBE && this != SESSION && this != READ_OR_SESSION;
    }

    /** Whether calls start on the I/O thread, where they must not block. */
    public boolean runsOnIoThread() {
        return isKeyed() || this == PROBE;
    }

    /** When a call counts towards the daily cap of its key. */
    public DailyCount dailyCount() {
        return isDeciding() ? DailyCount.WITH_ITS_DECISION : isKeyed() ? DailyCount.AT_ONCE : DailyCount.NEVER;
    }

    /** Whether the gate accepts a cached key without asking the store. */
    public boolean acceptsCachedKey() {
        return acceptsCachedKey;
    }

    /** Whether the answer is a decision. */
    public boolean isDeciding() {
        return this == VALIDATE || this == PROPOSE;
    }

    @Nullable
    public Scope scope() {
        return scope;
    }
}
