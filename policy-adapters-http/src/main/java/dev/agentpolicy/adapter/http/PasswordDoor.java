package dev.agentpolicy.adapter.http;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets few passwords be hashed at a time. A hash is made to cost much time and memory, and who signs in is a stranger:
 * without this, a crowd at the door would stop everybody else.
 */
final class PasswordDoor {
    private static final int AT_ONCE = 4;
    private static final int MAX_WAITING = 16;
    private static final long PATIENCE_SECONDS = 5;

    private final Semaphore places = new Semaphore(AT_ONCE, true);

    <T> T pass(Supplier<T> work) {
        if (!enter()) {
            throw new Refused(ErrorAnswer.unavailable());
        }
        try {
            return work.get();
        } finally {
            places.release();
        }
    }

    private boolean enter() {
        try {
            return places.getQueueLength() < MAX_WAITING && places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
