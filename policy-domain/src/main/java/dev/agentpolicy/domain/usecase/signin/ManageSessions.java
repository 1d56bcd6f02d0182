package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Sessions.StoredSession;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Shows a user where the account is signed in, ends sessions, and watches accounts (docs/reference/sign-in.md). */
public record ManageSessions(Sessions sessions, InstantSource clock) {

    /**
     * An open session.
     *
     * @param isThis whether the call that asks was made in it
     */
    public record OpenSession(StoredSession session, boolean isThis) {}

    /**
     * The open sessions of a user, newest first.
     *
     * @param tokenHash hash of the token of the session that asks
     */
    public List<OpenSession> list(UserId user, String tokenHash) {
        Instant now = clock.instant();
        UUID asking = sessions.find(tokenHash).map(StoredSession::id).orElse(null);
        return sessions.of(user).stream()
                .filter(session -> SignIn.isOpen(session, now))
                .map(session -> new OpenSession(session, session.id().equals(asking)))
                .toList();
    }

    /** Ends one session, which may be the one that asks. */
    public Answer<UUID> end(UserId user, UUID id) {
        return sessions.close(user, id)
                ? Answer.given(id)
                : Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no open session with this id."));
    }

    /** Ends all sessions but the one that asks. */
    public void endOthers(UserId user, String tokenHash) {
        sessions.closeAll(user, tokenHash);
    }

    /**
     * The versions of the accounts of open sessions, by the hash of the session's token. Sessions that have ended are
     * left out. Does not update when they were last used. Blocks on one statement.
     */
    public Map<String, AccountVersions> versions(Collection<String> tokenHashes) {
        Instant now = clock.instant();
        Map<String, AccountVersions> open = new HashMap<>();
        sessions.watch(tokenHashes).forEach((hash, watched) -> {
            if (SignIn.isOpen(watched.session(), now)) {
                open.put(hash, watched.versions());
            }
        });
        return open;
    }
}
