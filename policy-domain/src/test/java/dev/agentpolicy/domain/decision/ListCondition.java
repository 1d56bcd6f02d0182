package dev.agentpolicy.domain.decision;

/** The conditions of a standing rule that are lists of words. */
enum ListCondition {
    ACTIONS("buy", "sell"),
    ASSET_TYPES("crypto", "tradfi"),
    SYMBOLS("BTC", "ETH", "SPY", "GROVE"),
    DAYS("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

    private final String[] words;

    ListCondition(String... words) {
        this.words = words;
    }

    /** The words that random cases use. */
    String[] words() {
        return words.clone();
    }
}
