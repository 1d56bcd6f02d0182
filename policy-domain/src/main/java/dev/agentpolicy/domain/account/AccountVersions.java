package dev.agentpolicy.domain.account;

/**
 * Numbers that grow with every change of a part of an account; 0 while there was none. They tell that something has
 * changed, and nothing about what.
 *
 * @param requests of the requests
 * @param portfolio of the holdings and of the connections to custodians
 * @param policy of the IPS in force and of the one that waits; the version of the IPS where none ever waited
 * @param keys of the agent keys
 * @param done of what the user is done with in the inbox
 */
public record AccountVersions(long requests, long portfolio, long policy, long keys, long done) {
    public static final AccountVersions NONE = new AccountVersions(0, 0, 0, 0, 0);

    /** Of an account that cannot be read now, since its part of the database is away. */
    public static final AccountVersions UNKNOWN = new AccountVersions(-1, -1, -1, -1, -1);

    /** Of everything that the inbox tells. Blocked proposals, and what only time brings, do not change it. */
    public long inbox() {
        return requests + portfolio + policy + keys + done;
    }
}
