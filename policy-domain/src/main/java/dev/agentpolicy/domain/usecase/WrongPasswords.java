package dev.agentpolicy.domain.usecase;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows down who guesses passwords: few tries for one address of mail from one place, some for a place, more for an
 * address of mail from everywhere, so that nobody can lock out another for long. Every try counts until one succeeds.
 */
final class WrongPasswords {
    private static final Duration WINDOW = Duration.ofMinutes(15);
    private static final int MAX_ENTRIES = 20_000;
    private static final int TRIES_OF_ONE_FROM_ONE_PLACE = 5;
    private static final int TRIES_FROM_ONE_PLACE = 30;
    private static final int TRIES_OF_ONE = 50;

    private final Map<String, Tries> tries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Tries> eldest) {
            return size() > MAX_ENTRIES;
        }
    };

    private record Tries(Instant first, int count) {}

    /** Counts a try; answers 0 when it may be made, else how long to wait. */
    synchronized long secondsToWait(String email, String address, Instant now) {
        long wait = Math.max(
                wait("pair " + email + " " + address, TRIES_OF_ONE_FROM_ONE_PLACE, now),
                Math.max(
                        wait("place " + address, TRIES_FROM_ONE_PLACE, now), wait("mail " + email, TRIES_OF_ONE, now)));
        if (wait == 0) {
            count("pair " + email + " " + address, now);
            count("place " + address, now);
            count("mail " + email, now);
        }
        return wait;
    }

    /** Forgets the tries of someone who knew the password. */
    synchronized void forget(String email, String address) {
        tries.remove("pair " + email + " " + address);
        tries.remove("mail " + email);
        tries.computeIfPresent("place " + address, (name, made) -> new Tries(made.first(), made.count() - 1));
    }

    private long wait(String name, int most, Instant now) {
        Tries made = tries.get(name);
        if (made == null || made.count() < most) {
            return 0;
        }
        long left = Duration.between(now, made.first().plus(WINDOW)).toSeconds() + 1;
        if (left <= 0) {
            tries.remove(name);
        }
        return Math.max(0, left);
    }

    private void count(String name, Instant now) {
        Tries made = tries.get(name);
        boolean isOver = made != null && made.first().plus(WINDOW).isBefore(now);
        tries.put(name, made == null || isOver ? new Tries(now, 1) : new Tries(made.first(), made.count() + 1));
    }
}
