package dev.agentpolicy.domain.trade;

/** The sleeve of the portfolio to which an asset belongs. Each sleeve has its own band. */
public enum AssetType {
    CRYPTO("crypto"),
    TRADFI("tradfi");

    private final String wireName;

    AssetType(String wireName) {
        this.wireName = wireName;
    }

    /** The name in the specification. */
    public String wireName() {
        return wireName;
    }
}
