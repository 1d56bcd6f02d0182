package dev.agentpolicy.domain.trade;

/** The direction of a trade. */
public enum Action {
    BUY("buy"),
    SELL("sell");

    private final String wireName;

    Action(String wireName) {
        this.wireName = wireName;
    }

    /** The name in the specification. */
    public String wireName() {
        return wireName;
    }
}
