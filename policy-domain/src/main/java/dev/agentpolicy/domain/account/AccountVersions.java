package dev.agentpolicy.domain.account;

/**
 * Numbers that grow with every change of a part of an account; 0 while there was none. They tell that something has
 * changed, and nothing about what.
 *
 * @param requests of the requests
 * @param portfolio of the holdings and of the connections to custodians
 * @param policy the version of the IPS in force
 * @param keys of the agent keys
 */
public record AccountVersions(long requests, long portfolio, long policy, long keys) {
    public static final AccountVersions NONE = new AccountVersions(0, 0, 0, 0);
}
