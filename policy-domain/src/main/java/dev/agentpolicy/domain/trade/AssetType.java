package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.document.Word;

/** The sleeve of the portfolio to which an asset belongs. Each sleeve has its own band. */
public enum AssetType implements Word {
    CRYPTO,
    TRADFI
}
