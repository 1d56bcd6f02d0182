package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.port.signin.Sessions.StoredSession;
import java.util.Collection;
import java.util.Map;

/** Watches sessions and the accounts of their users for changes, made by any node. */
public interface SessionWatch {

    /**
     * Reads sessions by the hashes of their tokens, all at one point in time and with one statement. Sessions that do not
     * exist are left out; sessions that have ended and were not yet removed are not.
     */
    Map<String, WatchedSession> read(Collection<String> tokenHashes);

    /**
     * A session and its account.
     *
     * @param session the session
     * @param versions the versions of the account of its user
     */
    record WatchedSession(StoredSession session, AccountVersions versions) {}
}
