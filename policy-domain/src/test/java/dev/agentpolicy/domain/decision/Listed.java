package dev.agentpolicy.domain.decision;

/** The conditions of a standing rule that are lists of words. */
enum Listed {
    ACTIONS("buy", "sell"),
    ASSET_TYPES("crypto", "tradfi"),
    SYMBOLS("BTC", "ETH", "SPY", "GROVE"),
    DAYS("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

    private final String[] words;

    Listed(String... words) {
        this.words = words;
    }

    /** Those that cases are drawn from. */
    String[] words() {
        return words.clone();
    }
}
