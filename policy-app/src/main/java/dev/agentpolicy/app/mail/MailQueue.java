package dev.agentpolicy.app.mail;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Mails that wait, fair by user. Mails about the safety of an account go before all others; among them, and among the
 * others, users take turns.
 *
 * <p>At most {@value #MAX_OF_KIND} mails of one kind wait for a user, and {@value #MAX_WAITING} in all. When all places are
 * taken, a mail gets the place of the latest one of the user who has most, if that is more than its own user would have; a
 * mail about safety gets the place of one that is not. Not thread-safe.
 */
final class MailQueue {
    static final int MAX_WAITING = 1_000;
    static final int MAX_OF_KIND = 10;

    /** The mails of each user, oldest first; users in the order of their turns. */
    private final Map<UserId, List<WaitingMail>> byUser = new LinkedHashMap<>();

    private int size;

    /**
     * A mail that waits.
     *
     * @param attempt how often it will have been tried after the next time
     * @param dueNanos when it may be tried, as {@link System#nanoTime} says
     */
    record WaitingMail(UserId user, Notice notice, int attempt, long dueNanos) {

        boolean isDue(long nowNanos) {
            return dueNanos - nowNanos <= 0;
        }
    }

    /** Adds a mail, and returns the one that has no place any more: this one, another one, or none. */
    Optional<WaitingMail> add(WaitingMail mail) {
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

    /** Removes and returns the mail whose turn it is among those that are due. */
    Optional<WaitingMail> poll(long nowNanos) {
        Optional<WaitingMail> next = firstDue(true, nowNanos).or(() -> firstDue(false, nowNanos));
        next.ifPresent(mail -> {
            remove(mail);
            List<WaitingMail> rest = byUser.remove(mail.user);
            if (rest != null) {
                byUser.put(mail.user, rest);
            }
        });
        return next;
    }

    /** How long until a mail is due; empty when none waits. */
    Optional<Long> nanosUntilDue(long nowNanos) {
        return byUser.values().stream()
                .flatMap(List::stream)
                .map(mail -> mail.dueNanos - nowNanos)
                .min(Long::compare);
    }

    private Optional<WaitingMail> firstDue(boolean isSecurity, long nowNanos) {
        return byUser.values().stream()
                .flatMap(List::stream)
                .filter(mail -> mail.notice.isSecurity() == isSecurity && mail.isDue(nowNanos))
                .findFirst();
    }

    private Optional<WaitingMail> displacedBy(WaitingMail mail) {
        boolean isSecurity = mail.notice.isSecurity();
        List<WaitingMail> others = most(false);
        if (isSecurity && !others.isEmpty()) {
            return last(others);
        }
        int own = of(byUser.getOrDefault(mail.user, List.of()), isSecurity).size();
        List<WaitingMail> rivals = isSecurity ? most(true) : others;
        return rivals.size() > own + 1 ? last(rivals) : Optional.empty();
    }

    /** The mails about safety, or the others, of the user who has most of them. */
    private List<WaitingMail> most(boolean isSecurity) {
        List<WaitingMail> most = List.of();
        for (List<WaitingMail> mails : byUser.values()) {
            List<WaitingMail> found = of(mails, isSecurity);
            most = found.size() > most.size() ? found : most;
        }
        return most;
    }

    private static List<WaitingMail> of(List<WaitingMail> mails, boolean isSecurity) {
        return mails.stream()
                .filter(mail -> mail.notice.isSecurity() == isSecurity)
                .toList();
    }

    private static Optional<WaitingMail> last(List<WaitingMail> mails) {
        return Optional.of(mails.get(mails.size() - 1));
    }

    private void remove(WaitingMail mail) {
        byUser.computeIfPresent(mail.user, (user, mails) -> {
            mails.remove(mail);
            return mails.isEmpty() ? null : mails;
        });
        size--;
    }
}
