package dev.agentpolicy.app.mail;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Mails that wait, fair by user. Mails about the safety of an account go before all others; among them, and among the
 * others, users take turns.
 *
 * <p>Requests that wait are one mail: after a mail about requests, the next one of the same user is due
 * {@value #REQUESTS_PAUSE_SECONDS} seconds later, or after the time that the user chose if it is longer, and has all requests
 * until then.
 *
 * <p>At most {@value #MAX_OF_KIND} mails of one kind wait for a user, and {@value #MAX_WAITING} in all. When all places are
 * taken, a mail about safety gets the place of one about requests, or else of the latest one of the user who has most, if
 * that is more than its own user would have. Not thread-safe.
 */
final class MailQueue {
    static final int MAX_WAITING = 1_000;
    static final int MAX_OF_KIND = 10;
    static final int REQUESTS_PAUSE_SECONDS = 300;

    private static final long REQUESTS_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(REQUESTS_PAUSE_SECONDS);

    /** The mails of each user, oldest first; users in the order of their turns. */
    private final Map<UserId, List<WaitingMail>> byUser = new LinkedHashMap<>();

    /** When each user may next get a mail about requests, as {@link System#nanoTime} says. */
    private final Map<UserId, Long> requestsDue = new HashMap<>();

    private int size;

    /**
     * A mail that waits.
     *
     * @param attempt how often it will have been tried after the next time
     * @param dueNanos when it may be tried, as {@link System#nanoTime} says
     */
    record WaitingMail(UserId user, Notice notice, int attempt, long dueNanos) {

        boolean isRequests() {
            return notice instanceof Notice.RequestWaits;
        }
    }

    /** Adds a mail, and returns the one that has no place any more: this one, another one, or none. */
    Optional<WaitingMail> add(WaitingMail added) {
        WaitingMail mail = added.isRequests() ? withRequestsBefore(added) : added;
        List<WaitingMail> own = byUser.getOrDefault(mail.user, List.of());
        long ofKind = own.stream()
                .filter(it -> it.notice.getClass() == mail.notice.getClass())
                .count();
        if (ofKind >= MAX_OF_KIND) {
            return Optional.of(mail);
        }
        Optional<WaitingMail> displaced = Optional.empty();
        if (size >= MAX_WAITING) {
            displaced = displacedBy(mail);
            if (displaced.isEmpty()) {
                return Optional.of(mail);
            }
            displaced.ifPresent(this::remove);
        }
        byUser.computeIfAbsent(mail.user, user -> new ArrayList<>()).add(mail);
        size++;
        return displaced;
    }

    /** A mail about requests that takes in the one that waits already; it is due when the one tried more often is. */
    private WaitingMail withRequestsBefore(WaitingMail mail) {
        Optional<WaitingMail> before = byUser.getOrDefault(mail.user, List.of()).stream()
                .filter(WaitingMail::isRequests)
                .findFirst();
        before.ifPresent(this::remove);
        return before.map(waiting -> joined(waiting, mail)).orElse(mail);
    }

    private static WaitingMail joined(WaitingMail before, WaitingMail mail) {
        Notice.RequestWaits requests = ((Notice.RequestWaits) before.notice).and((Notice.RequestWaits) mail.notice);
        WaitingMail tried = before.attempt < mail.attempt ? mail : before;
        return new WaitingMail(mail.user, requests, tried.attempt, tried.dueNanos);
    }

    /** Removes and returns the mail whose turn it is among those that are due. */
    Optional<WaitingMail> poll(long nowNanos) {
        Optional<WaitingMail> next = firstDue(true, nowNanos).or(() -> firstDue(false, nowNanos));
        requestsDue.values().removeIf(due -> due - nowNanos <= 0);
        next.ifPresent(mail -> {
            remove(mail);
            if (mail.isRequests()) {
                requestsDue.put(mail.user, nowNanos + REQUESTS_PAUSE_NANOS);
            }
            List<WaitingMail> rest = byUser.remove(mail.user);
            if (rest != null) {
                byUser.put(mail.user, rest);
            }
        });
        return next;
    }

    /** A mail about requests is sent: the next one is not due before a time, and not before the pause after this one. */
    void requestsTold(UserId user, long nextNanos) {
        requestsDue.merge(user, nextNanos, (pause, next) -> pause - next > 0 ? pause : next);
    }

    /** A mail about requests was not sent after all: the next one need not wait for the pause after it. */
    void requestsNotTold(UserId user) {
        requestsDue.remove(user);
    }

    /** How long until a mail is due; empty when none waits. */
    Optional<Long> nanosUntilDue(long nowNanos) {
        return byUser.values().stream()
                .flatMap(List::stream)
                .map(mail -> dueNanos(mail) - nowNanos)
                .min(Long::compare);
    }

    private Optional<WaitingMail> firstDue(boolean isSecurity, long nowNanos) {
        return byUser.values().stream()
                .flatMap(List::stream)
                .filter(mail -> mail.notice.isSecurity() == isSecurity && dueNanos(mail) - nowNanos <= 0)
                .findFirst();
    }

    /** When a mail may be sent: as it says, and the first attempt of one about requests after the pause. */
    private long dueNanos(WaitingMail mail) {
        if (!mail.isRequests() || mail.attempt > 1) {
            return mail.dueNanos;
        }
        // One that failed does not wait for the pause: nobody got it.
        long afterPause = requestsDue.getOrDefault(mail.user, mail.dueNanos);
        return afterPause - mail.dueNanos > 0 ? afterPause : mail.dueNanos;
    }

    private Optional<WaitingMail> displacedBy(WaitingMail mail) {
        if (!mail.notice.isSecurity()) {
            return Optional.empty();
        }
        Optional<WaitingMail> requests = byUser.values().stream()
                .flatMap(List::stream)
                .filter(WaitingMail::isRequests)
                .findFirst();
        if (requests.isPresent()) {
            return requests;
        }
        int own = byUser.getOrDefault(mail.user, List.of()).size();
        return byUser.values().stream()
                .max(Comparator.comparingInt(List::size))
                .filter(most -> most.size() > own + 1)
                .map(most -> most.get(most.size() - 1));
    }

    private void remove(WaitingMail mail) {
        byUser.computeIfPresent(mail.user, (user, mails) -> {
            mails.remove(mail);
            return mails.isEmpty() ? null : mails;
        });
        size--;
    }
}
