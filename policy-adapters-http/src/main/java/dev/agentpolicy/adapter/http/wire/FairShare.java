package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.http.Context;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the concurrent reads of one user, over all sessions and keys (docs/reference/limits.md). A read holds a
 * database connection and a thread while it runs. {@value #MAX_READING} at a time cannot exhaust the pool; further
 * reads wait in order of arrival and hold no thread.
 *
 * <p>Thread-safe. Every method takes constant time apart from the read itself.
 */
public final class FairShare {
    static final int MAX_READING = 4;
    private static final long MAX_UNATTACHED_SECONDS = 30;
    static final int MAX_WAITING = 64;

    private final Map<UserId, UserReads> users = new HashMap<>();

    /** The reads of one user: how many run, and which wait. */
    private static final class UserReads {
        private final Queue<Turn> waiting = new ArrayDeque<>();
        private int running;
    }

    /** Permission of one call to read. It is returned exactly once, also if the call fails. */
    final class Turn implements AutoCloseable {
        private final UserId user;
        private final CompletableFuture<Void> begun = new CompletableFuture<>();
        private boolean isOver;

        private Turn(UserId user) {
            this.user = user;
        }

        @Override
        public void close() {
            Turn next = leave(this);
            if (next != null) {
                next.begun.complete(null);
            }
        }
    }

    /**
     * Runs a call of a user that reads, now or when its turn comes.
     *
     * @param work runs on a thread that may block; the turn ends when it returns
     * @throws RejectedRequest when too many calls of the user are waiting
     */
    public void run(Context ctx, UserId user, Runnable work) {
        take(ctx, user, turn -> {
            try (turn) {
                work.run();
            }
        });
    }

    /** As above, but the turn ends before the answer is sent: a client that reads slowly delays no other call. */
    public <T> void read(Context ctx, UserId user, Supplier<T> read, Consumer<T> answer) {
        take(ctx, user, turn -> {
            T value;
            try (turn) {
                value = read.get();
            }
            answer.accept(value);
        });
    }

    /**
     * Blocks until a {@linkplain Downloads download} of a user may read. It waits behind a full queue as well, since a
     * user has one at a time.
     */
    Turn await(UserId user) {
        Turn turn = Objects.requireNonNull(enter(user, Integer.MAX_VALUE));
        turn.begun.join();
        return turn;
    }

    private void take(Context ctx, UserId user, Consumer<Turn> work) {
        if (Reply.isTimedOut(ctx)) {
            return;
        }
        Turn turn = enter(user, MAX_WAITING);
        if (turn == null) {
            throw new RejectedRequest(ErrorResponse.of(tooMany()));
        }
        if (turn.begun.isDone()) {
            work.accept(turn);
        } else {
            await(ctx, turn, work);
        }
    }

    /**
     * Waits for a turn without a thread. A call that times out leaves the queue, but its turn may begin just before
     * that; such a turn is passed on unused. It is passed on too if the router is done with the call and never attaches
     * to the wait. The work begins only once the router has attached: it may attach a wait of its own.
     */
    private void await(Context ctx, Turn turn, Consumer<Turn> work) {
        CompletableFuture<Void> attached =
                new CompletableFuture<Void>().orTimeout(MAX_UNATTACHED_SECONDS, TimeUnit.SECONDS);
        Runnable inTurn = () -> {
            if (Reply.isTimedOut(ctx)) {
                turn.close();
            } else {
                work.accept(turn);
            }
        };
        CompletableFuture<Void> waiting =
                RequestDispatch.onServerThread(ctx, CompletableFuture.allOf(turn.begun, attached), inTurn);
        var unused = waiting.whenComplete((nothing, failed) -> {
            if (failed != null) {
                leaveQueue(turn);
                turn.close();
            }
        });
        ctx.future(() -> {
            RequestDispatch.onCompletion(ctx, () -> leaveQueue(turn));
            attached.complete(null);
            return waiting;
        });
    }

    private synchronized @Nullable Turn enter(UserId user, int maxWaiting) {
        UserReads reads = users.computeIfAbsent(user, first -> new UserReads());
        Turn turn = new Turn(user);
        if (reads.running < MAX_READING) {
            reads.running++;
            turn.begun.complete(null);
            return turn;
        }
        return reads.waiting.size() < maxWaiting && reads.waiting.add(turn) ? turn : null;
    }

    /** Ends a turn and returns the next one, if any call is waiting. */
    private synchronized @Nullable Turn leave(Turn turn) {
        UserReads reads = users.get(turn.user);
        if (turn.isOver || reads == null) {
            return null;
        }
        turn.isOver = true;
        Turn next = reads.waiting.poll();
        if (next == null) {
            reads.running--;
        }
        if (reads.running == 0) {
            users.remove(turn.user);
        }
        return next;
    }

    private synchronized void leaveQueue(Turn turn) {
        UserReads reads = users.get(turn.user);
        if (reads != null && reads.waiting.remove(turn)) {
            turn.isOver = true;
        }
    }

    private static Refusal tooMany() {
        String message = "More than " + MAX_WAITING + " calls of this account wait to read; wait for their answers.";
        return Refusal.throttled(Refusal.Code.RATE_LIMITED, message, (long) MAX_WAITING, 1);
    }
}
