package dev.agentpolicy.domain.usecase.custodian;

/** What a sync came to. */
public enum SyncResult {
    /** The account is up to date. */
    SYNCED,
    /** The custodian could not be reached or refused; its connection says why. */
    FAILED,
    /** The account changed again and again meanwhile. */
    CONTENDED,
    /** The user has no such custodian. */
    UNKNOWN
}
