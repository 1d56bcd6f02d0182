package dev.agentpolicy.domain.usecase.signin;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits wrong passwords.
 *
 * <p>A browser without a known device has three limits within a quarter of an hour: wrong passwords for one account
 * from one network, for any account from one network, and for one account from anywhere. A known device has a limit of
 * its own and none of these, so nobody else can lock its user out.
 *
 * <p>Only a password that was compared and did not match counts. A sign-in takes up a place while its password is
 * compared, so that simultaneous sign-ins cannot exceed a limit together.
 *
 * <p>Counts are kept in memory: each node counts for itself and a restart clears them. At most {@value #MAX_ENTRIES}
 * counts are kept; beyond that, the oldest are forgotten first. Thread-safe.
 */
final class SignInThrottle {
    static final int MAX_ENTRIES = 20_000;
    /** The wait while passwords of other sign-ins are being compared. */
    static final long SECONDS_UNTIL_COMPARED = 1;

    private static final Duration WINDOW = Duration.ofMinutes(15);
    private static final int MAX_WRONG_OF_ACCOUNT_AND_NETWORK = 5;
    private static final int MAX_WRONG_OF_NETWORK = 30;
    private static final int MAX_WRONG_OF_ACCOUNT = 50;
    private static final int MAX_WRONG_OF_DEVICE = 5;
    private static final int MAX_AT_ONCE = 8;

    private final Map<String, TryCount> counts = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TryCount> eldest) {
            return size() > MAX_ENTRIES;
        }
    };

    /** Something that is limited: its name among the counts, and how many wrong passwords it may have. */
    record WrongLimit(String name, int maxWrong) {}

    /** The limits of a browser without a known device. */
    static List<WrongLimit> stranger(String email, String network) {
        return List.of(
                new WrongLimit("pair " + email + " " + network, MAX_WRONG_OF_ACCOUNT_AND_NETWORK),
                new WrongLimit("network " + network, MAX_WRONG_OF_NETWORK),
                new WrongLimit("account " + email, MAX_WRONG_OF_ACCOUNT));
    }

    /** The limits of a browser that signed in to the account before. */
    static List<WrongLimit> device(String tokenHash) {
        return List.of(new WrongLimit("device " + tokenHash, MAX_WRONG_OF_DEVICE));
    }

    /** The result of comparing a password with the stored one. */
    enum Comparison {
        MATCHED,
        DIFFERED,
        /** The passwords were not compared, since the service was too busy. */
        NOT_MADE
    }

    /**
     * A count within a window.
     *
     * @param since start of the window: the first wrong password, or the first sign-in while there is none
     * @param wrong passwords that did not match
     * @param open sign-ins whose passwords are being compared
     */
    private record TryCount(Instant since, int wrong, int open) {

        TryCount at(Instant now) {
            return wrong > 0 && since.plus(WINDOW).isBefore(now) ? new TryCount(now, 0, open) : this;
        }

        long secondsToWait(int maxWrong, Instant now) {
            if (wrong >= maxWrong) {
                long left = Duration.between(now, since.plus(WINDOW)).toSeconds() + 1;
                return Math.min(left, WINDOW.toSeconds() + 1);
            }
            return open >= MAX_AT_ONCE || wrong + open >= maxWrong ? SECONDS_UNTIL_COMPARED : 0;
        }

        TryCount opened() {
            return new TryCount(since, wrong, open + 1);
        }

        TryCount ended(boolean isWrong, Instant now) {
            return new TryCount(wrong == 0 ? now : since, wrong + (isWrong ? 1 : 0), Math.max(0, open - 1));
        }

        boolean isEmpty() {
            return wrong == 0 && open == 0;
        }
    }

    /** Begins a sign-in and returns 0, or returns the seconds to wait. After 0, {@link #end} must be called. */
    synchronized long begin(List<WrongLimit> limits, Instant now) {
        long wait = 0;
        for (WrongLimit limit : limits) {
            wait = Math.max(wait, count(limit, now).secondsToWait(limit.maxWrong, now));
        }
        if (wait == 0) {
            limits.forEach(limit -> counts.put(limit.name, count(limit, now).opened()));
        }
        return wait;
    }

    /** Ends a sign-in. A right password clears the wrong ones of the same account and network, or of the device. */
    synchronized void end(List<WrongLimit> limits, Comparison comparison, Instant now) {
        for (WrongLimit limit : limits) {
            TryCount ended = count(limit, now).ended(comparison == Comparison.DIFFERED, now);
            if (ended.isEmpty()) {
                counts.remove(limit.name);
            } else {
                counts.put(limit.name, ended);
            }
        }
        if (comparison == Comparison.MATCHED) {
            String own = limits.get(0).name;
            counts.computeIfPresent(own, (name, count) -> count.open == 0 ? null : new TryCount(now, 0, count.open));
        }
    }

    private TryCount count(WrongLimit limit, Instant now) {
        return counts.getOrDefault(limit.name, new TryCount(now, 0, 0)).at(now);
    }
}
