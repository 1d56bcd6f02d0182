package dev.agentpolicy.app.push;

import dev.agentpolicy.adapter.signing.WebPush;
import dev.agentpolicy.app.connection.PublicHttps;
import dev.agentpolicy.app.guard.WorkerPool;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.signin.PushDevices;
import dev.agentpolicy.domain.port.signin.PushDevices.PushDevice;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.io.IOException;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes notices to the devices of users, in the background, and hands them on to the mails.
 *
 * <p>What concerns the safety of an account is pushed at once. That requests wait is pushed when the user's settings allow it:
 * the time is in the database, and of all nodes one claims it and says how many requests wait by then. What a node has
 * claimed is lost if it is killed before the push service has it; a node that is stopped tries for 5 seconds.
 *
 * <p>Users take turns, so that slow push services of one hold up nobody else; they choose them.
 *
 * <p>A device whose push service says that it is gone is removed. A service that does not take a message is tried
 * {@value #MAX_ATTEMPTS} times. What became of messages is counted; failures are logged once for each service until it takes
 * a message again.
 */
public final class PushOutbox implements Notices, AutoCloseable {
    static final int MAX_ATTEMPTS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(PushOutbox.class);
    private static final int THREADS = 8;
    private static final int MAX_WAITING = 1_000;
    private static final int MAX_OF_USER = 100;
    private static final long LAST_SECONDS = 5;
    private static final int MAX_DUE = 100;
    private static final int MAX_COUNTED = 1_000;
    private static final int MAX_FAILING = 1_000;
    private static final long FIRST_PAUSE_SECONDS = 5;
    private static final long MAX_IDLE_SECONDS = 10;
    private static final Duration LIFETIME = Duration.ofDays(1);
    private static final int HUNDRED = 100;
    private static final int TOO_MANY = 429;
    private static final Set<Integer> GONE = Set.of(404, 410);

    private final Notices mails;
    private final Users users;
    private final PushDevices devices;
    private final RequestQueue requests;
    private final PushServices services;
    private final InstantSource clock;
    private final Consumer<PushOutcome> outcomes;
    private final ScheduledThreadPoolExecutor threads =
            new ScheduledThreadPoolExecutor(THREADS, work -> WorkerPool.daemon("pushes", work));
    /** Users with new requests that no thread has looked at. */
    private final Set<UserId> arrived = ConcurrentHashMap.newKeySet();
    /** What waits for each user, of whom a thread does one thing at a time; the users take turns. */
    private final Map<UserId, Deque<Runnable>> waiting = new HashMap<>();

    private final AtomicBoolean isCrowded = new AtomicBoolean();

    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    /** What became of a message to a device. */
    public enum PushOutcome {
        /** The push service took it. */
        SENT,
        /** The push service says that the device is gone; it was removed. */
        GONE,
        /** The push service will never take it. */
        REFUSED,
        /** The push service did not take it in any attempt. */
        GIVEN_UP,
        /** Too many waited. */
        CROWDED_OUT;

        /** The name in metrics. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How push services are reached.
     *
     * @param contact an address of the operator for those of push services; empty for none
     */
    public record PushServices(WebPush crypto, PublicHttps web, Optional<String> contact) {}

    /**
     * Begins with nothing to send.
     *
     * @param mails gets every notice, too
     * @param outcomes is told what became of each message
     */
    public PushOutbox(
            Notices mails,
            Users users,
            PushDevices devices,
            RequestQueue requests,
            PushServices services,
            InstantSource clock,
            Consumer<PushOutcome> outcomes) {
        this.mails = mails;
        this.users = users;
        this.devices = devices;
        this.requests = requests;
        this.services = services;
        this.clock = clock;
        this.outcomes = outcomes;
        threads.setKeepAliveTime(MAX_IDLE_SECONDS, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public boolean isSetUp() {
        return true;
    }

    @Override
    public boolean sendsMails() {
        return mails.sendsMails();
    }

    @Override
    public boolean sendsPushes() {
        return true;
    }

    @Override
    public void execute(Runnable work) {
        mails.execute(work);
    }

    @Override
    public void send(UserId user, Notice notice) {
        mails.send(user, notice);
        if (!notice.isSecurity()) {
            if (arrived.add(user) && !soon(user, () -> requestsArrived(user))) {
                arrived.remove(user);
            }
        } else if (notice.recipient().isEmpty()) {
            soon(user, () -> push(devices.of(user), PushMessage.of(notice)));
        }
    }

    @Override
    public Consumer<Notice> beforeDevicesEnd(UserId user) {
        List<PushDevice> before = devices.of(user);
        return notice -> {
            mails.send(user, notice);
            push(before, PushMessage.of(notice));
        };
    }

    /** Does something for a user in turn with all others; drops it, and answers false, when too much waits. */
    private boolean soon(UserId user, Runnable work) {
        synchronized (waiting) {
            Deque<Runnable> own = waiting.get(user);
            if (own != null && own.size() < MAX_OF_USER) {
                return own.add(work);
            }
            if (own == null && waiting.size() < MAX_WAITING && later(0, () -> nextOf(user))) {
                waiting.put(user, new ArrayDeque<>(List.of(work)));
                isCrowded.set(false);
                return true;
            }
        }
        outcomes.accept(PushOutcome.CROWDED_OUT);
        if (!isCrowded.getAndSet(true)) {
            LOG.warn("More notices wait to be pushed than there is room for; some are dropped.");
        }
        return false;
    }

    private void nextOf(UserId user) {
        Runnable work;
        synchronized (waiting) {
            work = waiting.getOrDefault(user, new ArrayDeque<>()).poll();
        }
        if (work != null) {
            run(work);
        }
        synchronized (waiting) {
            Deque<Runnable> own = waiting.get(user);
            if (own != null && (own.isEmpty() || !later(0, () -> nextOf(user)))) {
                waiting.remove(user);
                waiting.notifyAll();
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The work catches what it throws.
    private boolean later(long seconds, Runnable work) {
        try {
            threads.schedule(() -> run(work), seconds, TimeUnit.SECONDS);
            return true;
        } catch (RejectedExecutionException stopping) {
            LOG.debug("No more messages are pushed.", stopping);
            return false;
        }
    }

    private static void run(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException failed) {
            LOG.warn("A notice was not pushed: {}", failed.toString());
        }
    }

    private void requestsArrived(UserId user) {
        arrived.remove(user);
        if (!devices.of(user).isEmpty()) {
            tell(user, true);
        }
    }

    /** Tells users of requests whose digest or quiet hours are over; returns how many there were. Safe on every node. */
    public int tellDue() {
        List<UserId> due = devices.due(clock.instant(), MAX_DUE);
        due.forEach(user -> soon(user, () -> tell(user, false)));
        return due.size();
    }

    private void tell(UserId user, boolean isNew) {
        NoticeSettings settings = users.byId(user).map(User::notices).orElse(NoticeSettings.DEFAULT);
        RequestNotices wanted = settings.push();
        if (isNew && wanted == RequestNotices.OFF) {
            return;
        }
        Instant now = clock.instant();
        if (devices.claim(user, now, isNew, toldAt -> settings.next(now, toldAt)) && wanted != RequestNotices.OFF) {
            requests(user, wanted).ifPresent(message -> push(devices.of(user), message));
        }
    }

    /** What there is to tell of requests by now; they may have been answered meanwhile. */
    private Optional<PushMessage> requests(UserId user, RequestNotices wanted) {
        int count = requests.countWaiting(user, MAX_COUNTED);
        if (count > 1) {
            return Optional.of(PushMessage.of(count));
        }
        return requests.waiting(user, null, 1).stream()
                .map(Pending::proposal)
                .map(proposal -> PushMessage.of(proposal, wanted))
                .findFirst();
    }

    private void push(List<PushDevice> to, PushMessage message) {
        to.forEach(device -> soon(device.user(), () -> push(device, message, 1)));
    }

    /** A device whose push service failed gets the message later, if it is still one then. */
    private void push(PushDevice device, PushMessage message, int attempt) {
        if (isDone(device, message)) {
            return;
        }
        if (attempt >= MAX_ATTEMPTS || threads.getQueue().size() >= MAX_WAITING) {
            outcomes.accept(PushOutcome.GIVEN_UP);
            return;
        }
        later(
                FIRST_PAUSE_SECONDS * attempt * attempt,
                () -> soon(device.user(), () -> {
                    if (devices.of(device.user()).contains(device)) {
                        push(device, message, attempt + 1);
                    }
                }));
    }

    /** Sends a message; false if it may succeed later. */
    private boolean isDone(PushDevice device, PushMessage message) {
        String host = device.endpoint().getHost();
        try {
            byte[] body = services.crypto.encrypt(device, message.json());
            int status = services.web.call(
                    device.endpoint(), (connection, endNanos) -> post(connection, device, body, message.topic()));
            if (status / HUNDRED == 2) {
                failing.remove(host);
                outcomes.accept(PushOutcome.SENT);
                return true;
            }
            if (GONE.contains(status)) {
                devices.remove(device.user(), device.id());
                outcomes.accept(PushOutcome.GONE);
                return true;
            }
            failed(host, "it answered " + status);
            boolean isRefused = status / HUNDRED == 4 && status != TOO_MANY;
            if (isRefused) {
                outcomes.accept(PushOutcome.REFUSED);
            }
            return isRefused;
        } catch (GeneralSecurityException noPoint) {
            devices.remove(device.user(), device.id());
            outcomes.accept(PushOutcome.REFUSED);
            return true;
        } catch (IOException unreachable) {
            failed(host, String.valueOf(unreachable.getMessage()));
            return false;
        }
    }

    private int post(HttpsURLConnection connection, PushDevice device, byte[] body, String topic) throws IOException {
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        connection.setRequestProperty(
                "Authorization", services.crypto.authorization(device.endpoint(), clock.instant(), services.contact));
        connection.setRequestProperty("Content-Type", "application/octet-stream");
        connection.setRequestProperty("Content-Encoding", "aes128gcm");
        connection.setRequestProperty("TTL", Long.toString(LIFETIME.toSeconds()));
        connection.setRequestProperty("Urgency", "high");
        connection.setRequestProperty("Topic", topic);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
        return connection.getResponseCode();
    }

    /** Users choose the hosts, so they are remembered up to a limit. */
    private void failed(String host, String reason) {
        if (failing.size() < MAX_FAILING && failing.add(host)) {
            LOG.warn("The push service {} does not take a message: {}", host, reason);
        }
    }

    /** Ends when everything that waits was tried, and after 5 seconds at the latest; what users are told when due stays due. */
    @Override
    public void close() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAST_SECONDS);
        synchronized (waiting) {
            try {
                for (long left = LAST_SECONDS * 1_000; left > 0 && !waiting.isEmpty(); ) {
                    waiting.wait(left);
                    left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                }
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            int lost = waiting.values().stream().mapToInt(Deque::size).sum();
            if (lost > 0) {
                LOG.warn("{} notices are not pushed, since the service stops.", lost);
            }
        }
        threads.shutdownNow();
    }
}
