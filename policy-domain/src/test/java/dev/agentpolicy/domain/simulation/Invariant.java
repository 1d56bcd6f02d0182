package dev.agentpolicy.domain.simulation;

/** What must hold after every step, whatever fails. */
enum Invariant {
    /** A decision that its caller was told of is a row of the chain, and stays one. */
    WHAT_WAS_TOLD_IS_IN_THE_CHAIN,
    /** Rows are numbered without a gap, and each names the hash of the one before. */
    THE_CHAIN_IS_LINKED,
    /** A request comes with a row that allows it, in the same commit. */
    A_REQUEST_COMES_OF_AN_ALLOWED_DECISION,
    /** One agent key and one Idempotency-Key make at most one request in 24 hours, and an exact replay until then. */
    ONE_INTENTION_IS_ONE_REQUEST,
    /** No key is allowed anything beyond its daily USD, its daily calls or its AUM. */
    CAPS_HOLD,
    /** No key has more requests waiting than the operator allows, and no account more decisions in a day. */
    LIMITS_OF_AGENTS_HOLD,
    /** A key that is revoked leaves nothing in the queue but what its user has accepted. */
    REVOKED_KEYS_WAIT_FOR_NOTHING,
    /** What is recorded as used is what was used. */
    TALLIES_ARE_EXACT,
    /** Completed and rejected are for ever. */
    RESOLVED_STAYS_RESOLVED,
    /** A custodian executes a trade only while its user's yes stands. */
    ONLY_ACCEPTED_TRADES_EXECUTE,
    /** A custodian executes an accepted trade once, and the request says so. */
    ACCEPTED_TRADES_EXECUTE_ONCE,
    /** Bands and floor hold with everything done that is accepted and not yet filled, not only with each of it alone. */
    ACCEPTANCES_FIT_TOGETHER,
    /** Whatever an agent calls an asset, it is requested, ordered and held by one symbol and in one sleeve. */
    ASSETS_ARE_WHAT_THEY_ARE,
    /** What is known of a custodian is what its books say, or said earlier. */
    BOOKS_AGREE,
    /** Nothing is thrown that its caller is not to expect. */
    NOTHING_ELSE_GOES_WRONG
}
