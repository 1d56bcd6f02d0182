package dev.agentpolicy.app.security;

import com.password4j.Argon2Function;
import com.password4j.BadParametersException;
import com.password4j.types.Argon2;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.signin.Passwords;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hashes passwords with Argon2id, each with its own salt.
 *
 * <p>One hash takes 19 MiB and tens of milliseconds of a core on purpose, so only a few are made at once. Callers wait in
 * the queues of {@link Passwords.HashQueue}, and are refused when theirs is full. A flood of sign-ups takes
 * neither the memory nor the cores that agents' calls need, and does not block sign-ins.
 */
public final class Argon2Passwords implements Passwords {
    private static final int LANES = 1;
    private static final int HASH_BYTES = 32;
    private static final int SALT_BYTES = 16;
    private static final int MAX_WAITING = 16;
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final SecureRandom random = new SecureRandom();
    private final Cost cost;
    private final RoundRobinPermits permits;

    /**
     * What one new hash takes.
     *
     * @param kibibytes memory
     * @param passes how often the memory is gone through
     */
    public record Cost(int kibibytes, int passes) {
        /** The least that OWASP's password storage cheat sheet asks for: 19 MiB, two passes, one lane. */
        public static final Cost OWASP = new Cost(19_456, 2);
    }

    /** @param atOnce how many hashes may be in the making at any time */
    public Argon2Passwords(int atOnce, Cost cost) {
        this.cost = cost;
        this.permits = new RoundRobinPermits(atOnce, MAX_WAITING);
    }

    @Override
    public String hash(String password) {
        return hash(password, HashQueue.SIGN_UP);
    }

    private String hash(String password, HashQueue queue) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return inTurn(
                queue,
                () -> argon2id()
                        .hash(password.getBytes(StandardCharsets.UTF_8), salt)
                        .getResult());
    }

    @Override
    public boolean matches(String password, @Nullable String hash, HashQueue queue) {
        if (hash == null) {
            hash(password, queue);
            return false;
        }
        return inTurn(queue, () -> {
            try {
                return Argon2Function.getInstanceFromHash(hash)
                        .check(password.getBytes(StandardCharsets.UTF_8), hash.getBytes(StandardCharsets.UTF_8));
            } catch (BadParametersException notOurs) {
                throw new IllegalStateException("A stored password hash is damaged.", notOurs);
            }
        });
    }

    /** The library makes its memory with it and keeps both, so that the first sign-in need not allocate any. */
    private Argon2Function argon2id() {
        return Argon2Function.getInstance(cost.kibibytes(), cost.passes(), LANES, HASH_BYTES, Argon2.ID);
    }

    private <R> R inTurn(HashQueue queue, Supplier<R> work) {
        if (!permits.acquire(queue, MAX_WAIT)) {
            throw new Unavailable("Too many people sign in or up at this moment; try again.");
        }
        try {
            return work.get();
        } finally {
            permits.release();
        }
    }

    /**
     * A fixed number of permits that several bounded queues wait for. A returned permit goes to the next queue in
     * turn, so a queue with many waiters delays each other queue by one permit only. Each queue is first in, first out.
     */
    static final class RoundRobinPermits {
        private final List<Deque<CountDownLatch>> queues = Stream.of(HashQueue.values())
                .<Deque<CountDownLatch>>map(queue -> new ArrayDeque<>())
                .toList();

        private final int maxWaiting;
        private int free;
        private int turn;

        RoundRobinPermits(int permits, int maxWaiting) {
            this.free = permits;
            this.maxWaiting = maxWaiting;
        }

        /**
         * Waits for a permit, which must be {@linkplain #release() returned}.
         *
         * @return false when the queue is full, no permit came in time, or the thread was interrupted
         */
        boolean acquire(HashQueue queue, Duration patience) {
            Deque<CountDownLatch> waiters = waiters(queue);
            CountDownLatch granted = new CountDownLatch(1);
            synchronized (this) {
                if (free > 0) {
                    free--;
                    return true;
                }
                if (waiters.size() >= maxWaiting) {
                    return false;
                }
                waiters.addLast(granted);
            }
            return await(granted, patience) || !left(waiters, granted);
        }

        private static boolean await(CountDownLatch granted, Duration patience) {
            try {
                return granted.await(patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** Leaves a queue; false when a permit came at the last moment, which the caller then has. */
        private synchronized boolean left(Deque<CountDownLatch> waiters, CountDownLatch granted) {
            return waiters.remove(granted);
        }

        /** Returns a permit. */
        synchronized void release() {
            for (int i = 0; i < queues.size(); i++) {
                CountDownLatch next = queues.get(turn).pollFirst();
                turn = (turn + 1) % queues.size();
                if (next != null) {
                    next.countDown();
                    return;
                }
            }
            free++;
        }

        /** How many wait in a queue. */
        synchronized int waiting(HashQueue queue) {
            return waiters(queue).size();
        }

        @SuppressWarnings("EnumOrdinal") // Only an index into the list of queues, never stored.
        private Deque<CountDownLatch> waiters(HashQueue queue) {
            return queues.get(queue.ordinal());
        }
    }
}
