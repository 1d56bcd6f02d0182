package dev.agentpolicy.domain.custodian;

/** Whether a broker's account trades with real money. */
public enum BrokerEnvironment {
    /** The broker's own simulation. */
    PAPER("paper"),
    /** Real money. */
    LIVE("live");

    private final String wireName;

    BrokerEnvironment(String wireName) {
        this.wireName = wireName;
    }

    /** The environment as the app API writes it. */
    public String wireName() {
        return wireName;
    }
}
