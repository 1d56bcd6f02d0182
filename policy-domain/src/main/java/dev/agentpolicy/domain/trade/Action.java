package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.document.Word;

/** The direction of a trade. */
public enum Action implements Word {
    BUY,
    SELL
}
