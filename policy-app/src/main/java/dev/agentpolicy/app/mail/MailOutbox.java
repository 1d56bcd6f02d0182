package dev.agentpolicy.app.mail;

import dev.agentpolicy.app.mail.MailQueue.WaitingMail;
import dev.agentpolicy.app.mail.SmtpServer.Mail;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.signin.Users;
import jakarta.mail.MessagingException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends mails in the background, in the order of {@link MailQueue}. Those that wait when the service stops are lost. A mail
 * that can never be sent is dropped at once, and one that the server does not take now is tried {@value #MAX_ATTEMPTS}
 * times; neither holds up others. What is dropped is counted, and logged without addresses and texts.
 */
public final class MailOutbox implements Notices, AutoCloseable {
    static final int MAX_ATTEMPTS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(MailOutbox.class);
    private static final int THREADS = 2;
    private static final int MAX_WORK = 1_000;
    private static final long FIRST_PAUSE_SECONDS = 2;
    private static final long PAUSE_FACTOR = 5;

    private final Users users;
    private final InstantSource clock;
    private final SmtpServer server;
    private final MailTexts texts;
    private final Consumer<MailOutcome> outcomes;
    /** Guarded by itself; threads that find nothing due wait for it. */
    private final MailQueue queue = new MailQueue();

    private final List<Thread> senders;
    /** What precedes mails. It waits for no mail server. */
    private final ThreadPoolExecutor work;

    /** What became of a mail. */
    public enum MailOutcome {
        /** The server took it. */
        SENT,
        /** The address is not confirmed, and gets nothing but links. */
        UNCONFIRMED,
        /** The address is none, or the server will never take it. */
        REFUSED,
        /** The server did not take it in any attempt. */
        GIVEN_UP,
        /** Too many waited. */
        CROWDED_OUT;

        /** The name in metrics. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param users has the addresses and what each user wants to be told
     * @param clock says when it is quiet for a user
     * @param outcomes is told what became of each mail
     */
    public MailOutbox(MailSettings settings, Users users, InstantSource clock, Consumer<MailOutcome> outcomes) {
        this.users = users;
        this.clock = clock;
        this.server = new SmtpServer(settings);
        this.texts = new MailTexts(settings.console());
        this.outcomes = outcomes;
        this.work = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WORK), MailOutbox::thread);
        this.senders = Stream.generate(() -> thread(this::sendUntilStopped))
                .limit(THREADS)
                .toList();
        senders.forEach(Thread::start);
    }

    /** Whether mails can be sent to an address as it is. */
    public static boolean isMailable(String address) {
        return SmtpServer.isMailable(address);
    }

    private static Thread thread(Runnable run) {
        Thread thread = new Thread(run, "mails");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public boolean isSetUp() {
        return true;
    }

    @Override
    public void send(UserId user, Notice notice) {
        add(new WaitingMail(user, notice, 1, System.nanoTime()));
    }

    @Override
    public void execute(Runnable run) {
        try {
            work.execute(() -> run(run));
        } catch (RejectedExecutionException full) {
            LOG.warn("A mail was dropped before it was written: {}", reason(full));
            outcomes.accept(MailOutcome.CROWDED_OUT);
        }
    }

    /** Ends within seconds; what waits is lost. */
    @Override
    public void close() {
        work.shutdownNow();
        senders.forEach(Thread::interrupt);
    }

    private void add(WaitingMail mail) {
        Optional<WaitingMail> dropped;
        synchronized (queue) {
            dropped = queue.add(mail);
            queue.notifyAll();
        }
        dropped.ifPresent(it -> drop(it, MailOutcome.CROWDED_OUT, "too many wait"));
    }

    private void sendUntilStopped() {
        try {
            while (true) {
                send(next());
            }
        } catch (InterruptedException stopped) {
            LOG.debug("No more mails are sent.", stopped);
        }
    }

    private WaitingMail next() throws InterruptedException {
        synchronized (queue) {
            Optional<WaitingMail> next = queue.poll(System.nanoTime());
            while (next.isEmpty()) {
                Optional<Long> nanos = queue.nanosUntilDue(System.nanoTime());
                // One millisecond more, since the rest of one is cut; 0 would be for ever.
                queue.wait(nanos.map(it -> TimeUnit.NANOSECONDS.toMillis(Math.max(0, it)) + 1)
                        .orElse(0L));
                next = queue.poll(System.nanoTime());
            }
            return next.get();
        }
    }

    private void send(WaitingMail waiting) {
        try {
            Optional<User> user = users.byId(waiting.user());
            if (user.isPresent()
                    && !user.get().isEmailConfirmed()
                    && !waiting.notice().isLink()) {
                outcomes.accept(MailOutcome.UNCONFIRMED);
                notTold(waiting);
                return;
            }
            if (waiting.isRequests()
                    && user.isPresent()
                    && isPutOff(waiting, user.get().notices())) {
                return;
            }
            Optional<Mail> mail = user.flatMap(it -> texts.write(it, waiting.notice()));
            if (mail.isPresent()) {
                server.send(mail.get());
                outcomes.accept(MailOutcome.SENT);
            } else {
                notTold(waiting);
            }
        } catch (MessagingException failed) {
            if (SmtpServer.isPermanent(failed)) {
                drop(waiting, MailOutcome.REFUSED, reason(failed));
            } else {
                retry(waiting, failed);
            }
        } catch (RuntimeException failed) {
            retry(waiting, failed);
        }
    }

    /** Puts a mail about requests off to the end of the user's quiet hours, and the next one to the end of the digest. */
    private boolean isPutOff(WaitingMail mail, NoticeSettings settings) {
        Instant now = clock.instant();
        long untilDue = Duration.between(now, settings.next(now, null)).toNanos();
        synchronized (queue) {
            if (untilDue > 0) {
                queue.requestsNotTold(mail.user());
            } else {
                queue.requestsTold(
                        mail.user(), System.nanoTime() + settings.digest().toNanos());
            }
        }
        if (untilDue > 0) {
            add(new WaitingMail(mail.user(), mail.notice(), mail.attempt(), System.nanoTime() + untilDue));
        }
        return untilDue > 0;
    }

    private void notTold(WaitingMail mail) {
        if (mail.isRequests()) {
            synchronized (queue) {
                queue.requestsNotTold(mail.user());
                queue.notifyAll();
            }
        }
    }

    private void retry(WaitingMail failed, Exception cause) {
        if (failed.attempt() >= MAX_ATTEMPTS) {
            LOG.warn("A mail was given up after {} attempts: {}", failed.attempt(), reason(cause));
            outcomes.accept(MailOutcome.GIVEN_UP);
            return;
        }
        LOG.warn("A mail could not be sent; it is tried again: {}", reason(cause));
        long pauseSeconds = FIRST_PAUSE_SECONDS;
        for (int i = 1; i < failed.attempt(); i++) {
            pauseSeconds *= PAUSE_FACTOR;
        }
        long due = System.nanoTime() + TimeUnit.SECONDS.toNanos(pauseSeconds);
        add(new WaitingMail(failed.user(), failed.notice(), failed.attempt() + 1, due));
    }

    private void drop(WaitingMail mail, MailOutcome outcome, String reason) {
        LOG.warn("A mail to user {} was dropped: {}", mail.user(), reason);
        outcomes.accept(outcome);
    }

    /** The kinds of failure. What servers say may hold addresses. */
    private static String reason(Throwable failed) {
        Throwable cause = failed.getCause();
        String name = failed.getClass().getSimpleName();
        return cause == null ? name : name + ", " + cause.getClass().getSimpleName();
    }

    private static void run(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException failed) {
            LOG.warn("A mail was not written: {}", reason(failed));
        }
    }
}
