package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.document.Word;

/** Whether a broker's account trades with real money. */
public enum BrokerEnvironment implements Word {
    /** The broker's own simulation. */
    PAPER,
    /** Real money. */
    LIVE
}
