package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.EventStream;
import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.agent.UserId;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stream of one client: the versions of an account that the client was not sent yet.
 *
 * <p>Thread-safe.
 */
final class ChangeStream {
    /** Browsers connect again after this time. */
    private static final String RETRY = "retry: 2000\n\n";

    private static final String HEARTBEAT = ": open\n\n";
    private static final String SESSION_ENDED = "event: session\ndata: {\"open\":false}\n\n";

    private final UserId user;
    private final String session;
    private @Nullable AccountVersions sent;
    private AccountVersions latest;
    private boolean isHeartbeatDue;
    private boolean isSessionOver;
    private boolean isOver;
    private @Nullable EventStream stream;

    ChangeStream(UserId user, String session, AccountVersions present) {
        this.user = user;
        this.session = session;
        this.latest = present;
    }

    UserId user() {
        return user;
    }

    /** The hash of the session's token. */
    String session() {
        return session;
    }

    void attach(EventStream opened) {
        synchronized (this) {
            stream = opened;
            if (!isOver) {
                return;
            }
        }
        opened.end();
    }

    /** Sends what has changed. */
    void update(AccountVersions versions) {
        EventStream open;
        synchronized (this) {
            if (versions.equals(latest)) {
                return;
            }
            latest = versions;
            open = stream;
        }
        if (open != null) {
            open.send();
        }
    }

    /** Sends a comment, so that neither side nor a proxy takes the connection for dead. */
    void beat() {
        EventStream open;
        synchronized (this) {
            isHeartbeatDue = true;
            open = stream;
        }
        if (open != null) {
            open.send();
        }
    }

    void endSession() {
        synchronized (this) {
            isSessionOver = true;
        }
        end();
    }

    void end() {
        EventStream open;
        synchronized (this) {
            isOver = true;
            open = stream;
        }
        if (open != null) {
            open.end();
        }
    }

    /** The text to send next. What it contains is taken as sent. */
    synchronized String next() {
        StringBuilder text = new StringBuilder(sent == null ? RETRY : isHeartbeatDue ? HEARTBEAT : "");
        isHeartbeatDue = false;
        event(text, "requests", AccountVersions::requests);
        event(text, "portfolio", AccountVersions::portfolio);
        event(text, "policy", AccountVersions::policy);
        event(text, "keys", AccountVersions::keys);
        sent = latest;
        if (isSessionOver) {
            text.append(SESSION_ENDED);
            isSessionOver = false;
        }
        return text.toString();
    }

    private void event(StringBuilder text, String name, ToLongFunction<AccountVersions> part) {
        long version = part.applyAsLong(latest);
        if (sent == null || part.applyAsLong(sent) != version) {
            text.append("event: ").append(name);
            text.append("\ndata: {\"version\":").append(version).append("}\n\n");
        }
    }
}
