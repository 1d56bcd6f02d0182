package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.port.signin.SessionWatch;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Watches the accounts of users who are signed in (docs/reference/app-api.md, the stream). */
public final class WatchSessions {
    private final SessionWatch watch;
    private final InstantSource clock;

    public WatchSessions(SessionWatch watch, InstantSource clock) {
        this.watch = watch;
        this.clock = clock;
    }

    /**
     * The versions of the accounts of open sessions, by the hash of the session's token. Sessions that have ended are
     * left out. Does not update when they were last used. Blocks on one statement.
     */
    public Map<String, AccountVersions> versions(Collection<String> sessions) {
        Instant now = clock.instant();
        Map<String, AccountVersions> open = new HashMap<>();
        watch.read(sessions).forEach((hash, watched) -> {
            if (SignIn.isOpen(watched.session(), now)) {
                open.put(hash, watched.versions());
            }
        });
        return open;
    }
}
