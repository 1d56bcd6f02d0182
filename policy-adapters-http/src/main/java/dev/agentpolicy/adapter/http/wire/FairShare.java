package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.http.Context;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how much one user reads at the same time, over all sessions and keys (docs/reference/limits.md). A read holds a
 * connection to the database and a thread while it lasts. Of {@value #MAX_READING} at a time a user cannot fill the
 * pool; further reads wait without a thread, first come, first served.
 *
 * <p>Thread-safe; every call takes constant time beside the read itself.
 */
public final class FairShare {
    static final int MAX_READING = 4;
    static final int MAX_WAITING = 64;

    private final Map<UserId, Reads> users = new HashMap<>();

    /** What one user reads and waits to read. */
    private static final class Reads {
        private final Queue<Turn> waiting = new ArrayDeque<>();
        private int running;
    }

    /** The right of one call to read; given back once, whatever becomes of the call. */
    private final class Turn implements AutoCloseable {
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
     * Does a call of a user that reads, now or when its turn comes.
     *
     * @param work done on a thread that may wait; the turn is over when it returns
     * @param refuse takes the refusal when too many calls of the user wait already
     */
    public void run(Context ctx, UserId user, Runnable work, Consumer<Refusal> refuse) {
        take(
                ctx,
                user,
                turn -> {
                    try (turn) {
                        work.run();
                    }
                },
                refuse);
    }

    /** The same for an answer that is sent when the turn is over: a client that reads slowly keeps nobody waiting. */
    public <T> void read(Context ctx, UserId user, Supplier<T> read, Consumer<T> answer, Consumer<Refusal> refuse) {
        take(ctx, user, turn -> answer.accept(readIn(turn, read)), refuse);
    }

    private static <T> T readIn(Turn turn, Supplier<T> read) {
        try (turn) {
            return read.get();
        }
    }

    private void take(Context ctx, UserId user, Consumer<Turn> work, Consumer<Refusal> refuse) {
        Turn turn = enter(user);
        if (turn == null) {
            refuse.accept(tooMany());
        } else if (turn.begun.isDone()) {
            work.accept(turn);
        } else {
            ctx.future(() -> await(ctx, turn, work));
        }
    }

    /** A call that is given up before its turn comes leaves the queue. */
    private CompletableFuture<Void> await(Context ctx, Turn turn, Consumer<Turn> work) {
        ctx.req().getAsyncContext().addListener(new WhenCompleted(() -> leaveQueue(turn)));
        return RequestDispatch.elsewhere(ctx, turn.begun, () -> work.accept(turn), turn::close);
    }

    private synchronized @Nullable Turn enter(UserId user) {
        Reads reads = users.computeIfAbsent(user, first -> new Reads());
        Turn turn = new Turn(user);
        if (reads.running < MAX_READING) {
            reads.running++;
            turn.begun.complete(null);
            return turn;
        }
        return reads.waiting.size() < MAX_WAITING && reads.waiting.add(turn) ? turn : null;
    }

    /** Ends a turn; answers whose turn it is then. */
    private synchronized @Nullable Turn leave(Turn turn) {
        Reads reads = users.get(turn.user);
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
        Reads reads = users.get(turn.user);
        if (reads != null && reads.waiting.remove(turn)) {
            turn.isOver = true;
        }
    }

    /** Hears that a call is over, however it came to that. */
    private record WhenCompleted(Runnable work) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            work.run();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            work.run();
        }

        @Override
        public void onError(AsyncEvent event) {
            work.run();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // The call goes on.
        }
    }

    private static Refusal tooMany() {
        String message = "More than " + MAX_WAITING + " calls of this account wait to read; wait for their answers.";
        return Refusal.throttled(Refusal.Code.RATE_LIMITED, message, (long) MAX_WAITING, 1);
    }
}
