package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores the sessions of users, by the hash of the token in their browser. */
public interface Sessions {

    /**
     * A stored session.
     *
     * @param id by which its user names it; not derived from the token
     * @param userId whose session it is
     * @param createdAt when it was opened
     * @param lastUsedAt the last recorded use
     * @param expiresAt when it ends, even if it is used
     * @param origin where it was opened
     * @param viewer the viewer whose address opened it; null for a session of the user
     */
    record StoredSession(
            UUID id,
            UserId userId,
            Instant createdAt,
            Instant lastUsedAt,
            Instant expiresAt,
            SessionOrigin origin,
            @Nullable UUID viewer) {

        /** A session of a user. */
        public StoredSession(
                UUID id,
                UserId userId,
                Instant createdAt,
                Instant lastUsedAt,
                Instant expiresAt,
                SessionOrigin origin) {
            this(id, userId, createdAt, lastUsedAt, expiresAt, origin, null);
        }

        /** The same session after a later use. */
        public StoredSession usedAt(Instant at) {
            return new StoredSession(id, userId, createdAt, at, expiresAt, origin, viewer);
        }
    }

    /**
     * Where a session was opened.
     *
     * @param address of the client, at most {@value #MAX_ADDRESS} characters
     * @param agent what the browser calls itself, at most {@value #MAX_AGENT} characters; null when it does not say
     */
    record SessionOrigin(String address, @Nullable String agent) {
        public static final int MAX_ADDRESS = 64;
        public static final int MAX_AGENT = 200;

        /** Longer texts are cut. Only printable ASCII is kept of an agent, as HTTP asks for. */
        public SessionOrigin {
            address = cut(address, MAX_ADDRESS);
            agent = agent == null ? null : cut(agent.replaceAll("[^ -~]", "?"), MAX_AGENT);
        }

        private static String cut(String text, int max) {
            return text.length() <= max ? text : text.substring(0, max);
        }
    }

    /** Stores a new session. */
    void open(String tokenHash, StoredSession session);

    /** Finds a session; also one that has ended and was not yet removed. */
    Optional<StoredSession> find(String tokenHash);

    /**
     * A session and its account.
     *
     * @param session the session
     * @param versions the versions of the account of its user; {@link AccountVersions#UNKNOWN} while that part of the database
     *     is away
     */
    record WatchedSession(StoredSession session, AccountVersions versions) {

        /** The same with versions that were read apart from the session, which had that of the inbox. */
        public WatchedSession withAccount(AccountVersions account) {
            return new WatchedSession(
                    session,
                    account.equals(AccountVersions.UNKNOWN)
                            ? account
                            : new AccountVersions(
                                    account.requests(),
                                    account.portfolio(),
                                    account.policy(),
                                    account.keys(),
                                    versions.done()));
        }
    }

    /**
     * Reads sessions with the versions of their accounts by the hashes of their tokens, all at one point in time and with one
     * statement where the database is one server. Sessions that do not exist are left out; sessions that have ended and were
     * not yet removed are not. Fails with {@link Unavailable} if the version of no account can be read.
     */
    Map<String, WatchedSession> watch(Collection<String> tokenHashes);

    /** Records the latest use of a session; an earlier use than the recorded one changes nothing. */
    void use(String tokenHash, Instant at);

    /** Ends a session; one that does not exist is ignored. */
    void close(String tokenHash);

    /** The sessions of a user, newest first; also ended ones that were not yet removed. */
    List<StoredSession> of(UserId user);

    /** Ends the sessions of a viewer. */
    void closeViewer(UserId user, UUID viewer);

    /** Ends a session of a user by its id; returns false when the user has no such session. */
    boolean close(UserId user, UUID id);

    /**
     * Ends the sessions of a user.
     *
     * @param except hash of the token of the one that goes on; null to end all
     */
    void closeAll(UserId user, @Nullable String except);

    /**
     * Ends sessions of a user, or of a viewer, that has too many: of those that have not expired, the ones used longest ago.
     *
     * @param viewer whose sessions; null for those of the user
     * @param kept hash of the token of one that goes on whenever it was used
     * @param now the time at which sessions have expired or not
     * @param max how many go on, that one included
     */
    void closeBeyond(UserId user, @Nullable UUID viewer, String kept, Instant now, int max);

    /**
     * Removes sessions that expired or were not used any more.
     *
     * @param now sessions that expire at this moment or before are removed
     * @param unusedSince sessions last used at this moment or before are removed
     * @return how many were removed
     */
    int removeEnded(Instant now, Instant unusedSince);
}
