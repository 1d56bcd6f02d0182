package dev.agentpolicy.domain.simulation;

/** The invariants that must hold after every step, whatever fails. */
enum Invariant {
    /** A decision that was returned to its caller is in the chain and stays there. */
    WHAT_WAS_TOLD_IS_IN_THE_CHAIN,
    /** Rows are numbered without gaps, and each has the hash of the previous one. */
    THE_CHAIN_IS_LINKED,
    /** A request is created in the same commit as the row that allows it. */
    A_REQUEST_COMES_OF_AN_ALLOWED_DECISION,
    /** One agent key and one Idempotency-Key make at most one request in 24 hours, and an exact replay until then. */
    ONE_INTENTION_IS_ONE_REQUEST,
    /** No key exceeds its daily USD cap, its daily call cap or its AUM cap. */
    CAPS_HOLD,
    /** No key has more pending requests than the operator allows, and no account more decisions in a day. */
    LIMITS_OF_AGENTS_HOLD,
    /** A revoked key has no pending requests except accepted ones. */
    REVOKED_KEYS_WAIT_FOR_NOTHING,
    /** Tallies equal what was used. */
    TALLIES_ARE_EXACT,
    /** Completed and rejected requests never change. */
    RESOLVED_STAYS_RESOLVED,
    /** A custodian executes a trade only while its request is accepted. */
    ONLY_ACCEPTED_TRADES_EXECUTE,
    /** A custodian executes an accepted trade once, and the request is completed. */
    ACCEPTED_TRADES_EXECUTE_ONCE,
    /** Bands and floor hold for all accepted and unfilled trades together, not only for each alone. */
    ACCEPTANCES_FIT_TOGETHER,
    /** Every spelling of an asset leads to one symbol and one sleeve in requests, orders and holdings. */
    ASSETS_ARE_WHAT_THEY_ARE,
    /** The recorded holdings of a custodian equal its current or an earlier book. */
    BOOKS_AGREE,
    /** No call fails with an unexpected exception. */
    NOTHING_ELSE_GOES_WRONG
}
