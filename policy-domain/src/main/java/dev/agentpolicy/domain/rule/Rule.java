package dev.agentpolicy.domain.rule;

import dev.agentpolicy.domain.document.Word;

/** The rules a trade can break, in the order they are reported (specification, Violation). */
public enum Rule implements Word {
    NO_ACTIVE_IPS("the user has not encoded an IPS"),
    NO_PORTFOLIO_SNAPSHOT("a portfolio snapshot could not be built"),
    ACTION_NOT_ALLOWED("buy/sell is currently paused for the user"),
    CRYPTO_MAX_ALLOCATION("would exceed crypto maximum band"),
    CRYPTO_MIN_ALLOCATION("would fall below crypto minimum band"),
    TRADFI_MAX_ALLOCATION("would exceed tradfi maximum band"),
    TRADFI_MIN_ALLOCATION("would fall below tradfi minimum band"),
    CASH_FLOOR("a sell would push cash below the floor"),
    INSUFFICIENT_CASH("a buy without enough cash"),
    DRAWDOWN_EXCEEDED("would push past the IPS drawdown limit"),
    SLIPPAGE_EXCEEDED("expected slippage above the cap"),
    AGENT_AUM_CAP("per-agent AUM cap reached"),
    ASSET_AUTHORITY_MONITOR("asset authority level blocks the action"),
    ASSET_AUTHORITY_PROTECT_SELL("asset authority level blocks the sell"),
    STANDING_RULE_BLOCKED("a standing rule blocks the trade"),
    STANDING_RULE_REQUIRES_APPROVAL("a standing rule requires approval"),
    INVALID_PAYLOAD("malformed input");

    private final String meaning;

    Rule(String meaning) {
        this.meaning = meaning;
    }

    /** The meaning, in the words of the specification. */
    public String meaning() {
        return meaning;
    }
}
