package dev.agentpolicy.domain.simulation;

/** The invariants that must hold after every step, whatever fails. */
enum Invariant {
    /** A decision that was returned to its caller is in the chain and stays there. */
    RETURNED_DECISIONS_ARE_IN_THE_CHAIN,
    /** Rows are numbered without gaps, and each has the hash of the previous one. */
    ROWS_ARE_LINKED,
    /** A request is created in the same commit as the row that allows it. */
    REQUESTS_HAVE_AN_ALLOWED_DECISION,
    /** One agent key and one Idempotency-Key make at most one request in 24 hours, and an exact replay until then. */
    ONE_REQUEST_PER_IDEMPOTENCY_KEY,
    /** Every decision of a chain, and the use of the caps in it, can be recomputed from the chain. */
    CHAINS_ARE_RECOMPUTED,
    /** No key exceeds its daily USD cap, its daily call cap or its AUM cap. */
    CAPS_HOLD,
    /** No window of a flow limit has more proposals than its maximum, from the version on in which its form appeared. */
    FLOWS_HOLD,
    /** A decision says of each flow what was proposed before it, and no more and no less. */
    FLOWS_ARE_EXACT,
    /** No key has more pending requests than the operator allows, and no account more decisions in a day. */
    AGENT_LIMITS_HOLD,
    /** A revoked key has no pending requests except accepted ones. */
    REVOKED_KEYS_HAVE_NO_WAITING_REQUESTS,
    /** Tallies equal what was used. */
    TALLIES_ARE_EXACT,
    /** Completed and rejected requests never change. */
    RESOLVED_REQUESTS_NEVER_CHANGE,
    /** A custodian executes a trade only while its request is accepted. */
    ONLY_ACCEPTED_TRADES_EXECUTE,
    /** A custodian gets at most one order for each acceptance, however often it is sent. */
    ONE_ORDER_PER_ACCEPTANCE,
    /** When everything is quiet, every request in progress has an open order at its custodian. */
    ORDERS_UNDER_WAY_ARE_AT_THE_CUSTODIAN,
    /** Only the last order of a request fills anything, and then the request is completed. */
    ACCEPTED_TRADES_EXECUTE_ONCE,
    /** Bands, floor and positions hold for all accepted and unfilled trades together, not only for each alone. */
    UNFILLED_TRADES_KEEP_BANDS_TOGETHER,
    /** Every spelling of an asset leads to one symbol and one sleeve in requests, orders and holdings. */
    ASSETS_HAVE_ONE_IDENTITY,
    /** The chain has every fill since a custodian was connected once, with the request it belongs to. */
    FILLS_ARE_IN_THE_CHAIN_ONCE,
    /** A request is completed by the commit that has the last of its fills, in the chain and in the holdings. */
    COMPLETED_REQUESTS_HAVE_THEIR_FILLS,
    /** No decision goes by holdings that are too old; it says which custodian is stale instead. */
    STALE_HOLDINGS_DECIDE_NOTHING,
    /** Recorded holdings equal what the custodian has or had, never go back, and in the end are the present ones. */
    HOLDINGS_EQUAL_THE_BOOK,
    /** No call fails with an unexpected exception. */
    NO_UNEXPECTED_EXCEPTION
}
