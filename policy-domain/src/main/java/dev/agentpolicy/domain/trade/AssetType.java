package dev.agentpolicy.domain.trade;

/** Which sleeve of the portfolio an asset belongs to; each has its own bands. */
public enum AssetType {
    CRYPTO("crypto"),
    TRADFI("tradfi");

    private final String wireName;

    AssetType(String wireName) {
        this.wireName = wireName;
    }

    /** As the specification writes it. */
    public String wireName() {
        return wireName;
    }
}
