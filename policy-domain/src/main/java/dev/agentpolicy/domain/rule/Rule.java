package dev.agentpolicy.domain.rule;

/** The rules a trade can break, in the order they are reported (specification, Violation). */
public enum Rule {
    NO_ACTIVE_IPS("no_active_ips", "the user has not encoded an IPS"),
    NO_PORTFOLIO_SNAPSHOT("no_portfolio_snapshot", "a portfolio snapshot could not be built"),
    ACTION_NOT_ALLOWED("action_not_allowed", "buy/sell is currently paused for the user"),
    CRYPTO_MAX_ALLOCATION("crypto_max_allocation", "would exceed crypto maximum band"),
    CRYPTO_MIN_ALLOCATION("crypto_min_allocation", "would fall below crypto minimum band"),
    TRADFI_MAX_ALLOCATION("tradfi_max_allocation", "would exceed tradfi maximum band"),
    TRADFI_MIN_ALLOCATION("tradfi_min_allocation", "would fall below tradfi minimum band"),
    CASH_FLOOR("cash_floor", "a sell would push cash below the floor"),
    INSUFFICIENT_CASH("insufficient_cash", "a buy without enough cash"),
    DRAWDOWN_EXCEEDED("drawdown_exceeded", "would push past the IPS drawdown limit"),
    SLIPPAGE_EXCEEDED("slippage_exceeded", "expected slippage above the cap"),
    AGENT_AUM_CAP("agent_aum_cap", "per-agent AUM cap reached"),
    ASSET_AUTHORITY_MONITOR("asset_authority_monitor", "asset authority level blocks the action"),
    ASSET_AUTHORITY_PROTECT_SELL("asset_authority_protect_sell", "asset authority level blocks the sell"),
    STANDING_RULE_BLOCKED("standing_rule_blocked", "a standing rule blocks the trade"),
    STANDING_RULE_REQUIRES_APPROVAL("standing_rule_requires_approval", "a standing rule requires approval"),
    INVALID_PAYLOAD("invalid_payload", "malformed input");

    private final String wireName;
    private final String meaning;

    Rule(String wireName, String meaning) {
        this.wireName = wireName;
        this.meaning = meaning;
    }

    /** The name in the specification. */
    public String wireName() {
        return wireName;
    }

    /** The meaning, in the words of the specification. */
    public String meaning() {
        return meaning;
    }
}
