package dev.agentpolicy.app.mail;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.signin.Users;
import jakarta.mail.MessagingException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends mails in the background. At most {@value #MAX_WAITING} wait, in memory: further ones are dropped, and those
 * that wait when the service stops are lost. A mail that the server does not take is tried {@value #MAX_ATTEMPTS}
 * times. Failures are logged without addresses and texts.
 */
public final class MailOutbox implements Notices, AutoCloseable {
    static final int MAX_WAITING = 1_000;
    static final int MAX_ATTEMPTS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(MailOutbox.class);
    private static final int THREADS = 2;
    private static final long FIRST_PAUSE_SECONDS = 2;
    private static final long PAUSE_FACTOR = 5;

    private final Users users;
    private final SmtpServer server;
    private final MailTexts texts;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ScheduledThreadPoolExecutor threads;

    /** @param users has the addresses and what each user wants to be told */
    public MailOutbox(MailSettings settings, Users users) {
        this.users = users;
        this.server = new SmtpServer(settings);
        this.texts = new MailTexts(settings.console());
        this.threads = new ScheduledThreadPoolExecutor(THREADS, work -> {
            Thread thread = new Thread(work, "mails");
            thread.setDaemon(true);
            return thread;
        });
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public boolean isSetUp() {
        return true;
    }

    @Override
    public void send(UserId user, Notice notice) {
        execute(() -> users.byId(user)
                .flatMap(found -> texts.write(found, notice))
                .ifPresent(mail -> send(mail, 1, FIRST_PAUSE_SECONDS)));
    }

    @Override
    public void execute(Runnable work) {
        schedule(work, 0);
    }

    /** Ends within seconds; what waits is lost. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    private void send(Mail mail, int attempt, long pauseSeconds) {
        try {
            server.send(mail);
        } catch (MessagingException failed) {
            if (attempt >= MAX_ATTEMPTS) {
                LOG.warn("A mail was given up after {} attempts: {}", attempt, reason(failed));
            } else {
                LOG.warn("A mail could not be sent; it is tried again: {}", reason(failed));
                schedule(() -> send(mail, attempt + 1, pauseSeconds * PAUSE_FACTOR), pauseSeconds);
            }
        }
    }

    /** The kinds of failure. What servers say may hold addresses. */
    private static String reason(Throwable failed) {
        Throwable cause = failed.getCause();
        String name = failed.getClass().getSimpleName();
        return cause == null ? name : name + ", " + cause.getClass().getSimpleName();
    }

    private void schedule(Runnable work, long delaySeconds) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            LOG.warn("A mail was dropped, since {} wait already.", MAX_WAITING);
            return;
        }
        try {
            var unused = threads.schedule(() -> run(work), delaySeconds, TimeUnit.SECONDS);
        } catch (RejectedExecutionException stopped) {
            waiting.decrementAndGet();
            LOG.debug("A mail was dropped during the stop.", stopped);
        }
    }

    private void run(Runnable work) {
        waiting.decrementAndGet();
        try {
            work.run();
        } catch (RuntimeException failed) {
            LOG.warn("A mail was not sent: {}", reason(failed));
        }
    }
}
