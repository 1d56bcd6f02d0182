package dev.agentpolicy.domain.trade;

/** What becomes of a trade in an asset whose sleeve nobody knows. */
public enum UnknownAssets {
    /** The sleeve that the call names is believed. */
    AS_SAID("as_said"),
    /** The asset may only be watched. */
    BLOCK("block");

    private final String wireName;

    UnknownAssets(String wireName) {
        this.wireName = wireName;
    }

    /** As an IPS document writes it. */
    public String wireName() {
        return wireName;
    }
}
