package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.EventStream;
import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usecase.signin.ManageSessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams that tell consoles what has changed (docs/reference/app-api.md). Nodes do not talk to each other: while
 * anybody listens, one thread reads the versions of all accounts listened to, with one statement every
 * {@value #PAUSE_MILLIS} ms. Streams hold neither threads nor connections to the database.
 *
 * <p>A session has at most {@value #MAX_OF_SESSION} streams and a user {@value #MAX_OF_USER}; a further one ends the oldest.
 * Beyond the limit of the node a stream is refused.
 *
 * <p>Thread-safe.
 */
final class ChangeStreams implements AutoCloseable {
    static final int MAX_OF_SESSION = 8;
    static final int MAX_OF_USER = 32;
    static final long PAUSE_MILLIS = 500;
    static final long HEARTBEAT_MILLIS = 15_000;

    private static final Logger LOG = LoggerFactory.getLogger(ChangeStreams.class);

    private final ManageSessions watch;
    private final int max;
    private final Set<ChangeStream> open = new LinkedHashSet<>();
    private @Nullable ScheduledExecutorService thread;
    private long lastBeat;
    private boolean isClosed;

    /** @param max streams of this node */
    ChangeStreams(ManageSessions watch, int max) {
        this.watch = watch;
        this.max = max;
    }

    /** Answers a call with a stream, which begins with the present versions. */
    void open(AppCall call) {
        String session = call.session();
        AccountVersions present = watch.versions(List.of(session)).getOrDefault(session, AccountVersions.NONE);
        ChangeStream stream = new ChangeStream(call.user(), session, present);
        if (!add(stream)) {
            ErrorResponse.unavailable().send(call.ctx());
            return;
        }
        try {
            stream.attach(EventStream.open(call.ctx(), stream::next, () -> remove(stream)));
        } catch (IOException failed) {
            remove(stream);
            throw new UncheckedIOException(failed);
        }
    }

    /** Ends all streams; further ones are refused. */
    @Override
    public void close() {
        List<ChangeStream> last;
        synchronized (this) {
            isClosed = true;
            last = List.copyOf(open);
            if (thread != null) {
                thread.shutdown();
            }
        }
        last.forEach(ChangeStream::end);
    }

    private boolean add(ChangeStream stream) {
        List<ChangeStream> displaced = new ArrayList<>(1);
        synchronized (this) {
            oldest(MAX_OF_SESSION, it -> it.session.equals(stream.session), displaced);
            oldest(MAX_OF_USER, it -> it.user.equals(stream.user), displaced);
            if (isClosed || open.size() >= max) {
                return false;
            }
            open.add(stream);
            if (thread == null) {
                thread = poller();
            }
        }
        displaced.forEach(ChangeStream::end);
        return true;
    }

    /** Removes the oldest stream of a kind if there are as many as allowed. */
    private void oldest(int allowed, Predicate<ChangeStream> kind, List<ChangeStream> displaced) {
        List<ChangeStream> alike = open.stream().filter(kind).toList();
        if (alike.size() >= allowed) {
            open.remove(alike.get(0));
            displaced.add(alike.get(0));
        }
    }

    private synchronized void remove(ChangeStream stream) {
        open.remove(stream);
    }

    private ScheduledExecutorService poller() {
        ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "change-streams");
            daemon.setDaemon(true);
            return daemon;
        });
        var unused = poller.scheduleWithFixedDelay(this::poll, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        return poller;
    }

    private void poll() {
        try {
            List<ChangeStream> streams;
            synchronized (this) {
                streams = List.copyOf(open);
            }
            if (!streams.isEmpty()) {
                update(streams);
                beat(streams);
            }
        } catch (RuntimeException failed) {
            LOG.warn("Streams could not be updated; it is tried again.", failed);
        }
    }

    /** While the database is away, the streams stay open; they send what has changed once it is back. */
    private void update(List<ChangeStream> streams) {
        Set<String> sessions =
                streams.stream().map(it -> it.session).collect(Collectors.toCollection(LinkedHashSet::new));
        Map<String, AccountVersions> versions;
        try {
            versions = watch.versions(sessions);
        } catch (Unavailable away) {
            LOG.debug("Streams are not updated now.", away);
            return;
        }
        for (ChangeStream stream : streams) {
            AccountVersions present = versions.get(stream.session);
            if (present == null) {
                stream.endSession();
            } else if (!present.equals(AccountVersions.UNKNOWN)) {
                stream.update(present);
            }
        }
    }

    private void beat(List<ChangeStream> streams) {
        long now = System.nanoTime();
        if (now - lastBeat >= TimeUnit.MILLISECONDS.toNanos(HEARTBEAT_MILLIS)) {
            lastBeat = now;
            streams.forEach(ChangeStream::beat);
        }
    }

    /**
     * The stream of one client: the versions of an account that the client was not sent yet.
     *
     * <p>Thread-safe.
     */
    static final class ChangeStream {
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
        private volatile @Nullable EventStream stream;

        /** @param session the hash of the session's token */
        ChangeStream(UserId user, String session, AccountVersions present) {
            this.user = user;
            this.session = session;
            this.latest = present;
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
            synchronized (this) {
                if (versions.equals(latest)) {
                    return;
                }
                latest = versions;
            }
            send();
        }

        /** Sends a comment, so that neither side nor a proxy takes the connection for dead. */
        void beat() {
            synchronized (this) {
                isHeartbeatDue = true;
            }
            send();
        }

        /** The stream is written without the lock, since writing asks for the next text. */
        private void send() {
            EventStream open = stream;
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
            synchronized (this) {
                isOver = true;
            }
            EventStream open = stream;
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
            event(text, "inbox", AccountVersions::inbox);
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
}
