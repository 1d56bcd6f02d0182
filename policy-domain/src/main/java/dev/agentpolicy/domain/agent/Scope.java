package dev.agentpolicy.domain.agent;

/** What a key may be used for (specification, Authentication). */
public enum Scope {
    READ("read"),
    VALIDATE("validate"),
    PROPOSE("propose");

    private final String wireName;

    Scope(String wireName) {
        this.wireName = wireName;
    }

    /** The scope as the specification writes it. */
    public String wireName() {
        return wireName;
    }
}
