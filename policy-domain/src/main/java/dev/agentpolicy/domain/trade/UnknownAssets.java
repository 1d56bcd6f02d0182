package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.document.Word;

/** How trades in assets of unknown sleeve are treated. */
public enum UnknownAssets implements Word {
    /** The sleeve in the call is believed. */
    AS_SAID,
    /** The asset may only be watched. */
    BLOCK
}
