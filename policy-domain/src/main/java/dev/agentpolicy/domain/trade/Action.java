package dev.agentpolicy.domain.trade;

/** Which way a trade goes. */
public enum Action {
    BUY("buy"),
    SELL("sell");

    private final String wireName;

    Action(String wireName) {
        this.wireName = wireName;
    }

    /** As the specification writes it. */
    public String wireName() {
        return wireName;
    }
}
