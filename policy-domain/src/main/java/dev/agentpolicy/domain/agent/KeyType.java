package dev.agentpolicy.domain.agent;

/** Whether a key acts on the user's own account or in the sandbox (specification, Authentication). */
public enum KeyType {
    LIVE("live"),
    TEST("test");

    private final String wireName;

    KeyType(String wireName) {
        this.wireName = wireName;
    }

    /** The type as the specification writes it. */
    public String wireName() {
        return wireName;
    }
}
