package dev.agentpolicy.domain.trade;

/** How trades in assets of unknown sleeve are treated. */
public enum UnknownAssets {
    /** The sleeve in the call is believed. */
    AS_SAID("as_said"),
    /** The asset may only be watched. */
    BLOCK("block");

    private final String wireName;

    UnknownAssets(String wireName) {
        this.wireName = wireName;
    }

    /** The name in an IPS document. */
    public String wireName() {
        return wireName;
    }
}
