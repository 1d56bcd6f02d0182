package dev.agentpolicy.app;

import static dev.agentpolicy.app.Household.API;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.Asked.Kind;
import dev.agentpolicy.app.Caller.Seen;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Callers of one account who go on without a pause until their service is gone, or they are told to stop. */
final class Load {
    private static final List<Kind> CALLERS = List.of(
            Kind.VALIDATE,
            Kind.VALIDATE,
            Kind.BATCH,
            Kind.PROPOSE,
            Kind.PROPOSE,
            Kind.ACCEPT,
            Kind.ACCEPT,
            Kind.ACCEPT);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int RETRY_MILLIS = 50;

    private final Queue queue;
    private final AtomicInteger numbers;
    private final Collection<Asked> asked = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Asked> proposed = new LinkedBlockingQueue<>();
    private final List<Thread> callers;
    private final Collection<Throwable> wrong = new ConcurrentLinkedQueue<>();
    private volatile boolean isOver;

    private Load(Queue queue, AtomicInteger numbers) {
        this.queue = queue;
        this.numbers = numbers;
        this.callers = CALLERS.stream()
                .map(kind -> new Thread(() -> keepCalling(kind), "caller-" + kind))
                .toList();
    }

    /** Begins; no number is used twice. */
    static Load on(Queue queue, AtomicInteger numbers) {
        Load load = new Load(queue, numbers);
        load.callers.forEach(Thread::start);
        return load;
    }

    /** Waits until so many calls were answered in a way, from now on. */
    void until(int count, Predicate<Asked> isSo) throws InterruptedException {
        until(fresh -> fresh.filter(isSo).count() >= count);
    }

    /** Waits until calls of each kind were answered by a status, from now on. */
    void untilEachOf(Set<Kind> kinds, int status) throws InterruptedException {
        until(fresh -> fresh.filter(call -> call.is(status))
                .map(Asked::kind)
                .collect(Collectors.toSet())
                .containsAll(kinds));
    }

    private void until(Predicate<Stream<Asked>> isSo) throws InterruptedException {
        int before = asked.size();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!isSo.test(asked.stream().skip(before))) {
            throwWhatIsWrong();
            if (System.nanoTime() > deadline || callers.stream().noneMatch(Thread::isAlive)) {
                throw new AssertionError("It did not come so far; the last calls: "
                        + asked.stream().skip(Math.max(0, asked.size() - 3)).toList());
            }
            Thread.sleep(5);
        }
    }

    /** Everything that was asked, once nobody calls any more. */
    Collection<Asked> end() throws InterruptedException {
        isOver = true;
        for (Thread caller : callers) {
            caller.join();
        }
        throwWhatIsWrong();
        return asked;
    }

    private void throwWhatIsWrong() {
        wrong.forEach(answer -> {
            throw new AssertionError("A caller was answered as nobody should be.", answer);
        });
    }

    private void keepCalling(Kind kind) {
        try {
            while (!isOver) {
                Asked last = call(kind);
                if (last != null && last.answer().isEmpty()) {
                    return;
                }
                if (last != null && last.is(503)) {
                    Thread.sleep(RETRY_MILLIS);
                }
            }
        } catch (InterruptedException | RuntimeException | AssertionError answer) {
            wrong.add(answer);
        }
    }

    private Asked call(Kind kind) throws InterruptedException {
        if (kind == Kind.ACCEPT) {
            Asked proposal = proposed.poll(RETRY_MILLIS, TimeUnit.MILLISECONDS);
            return proposal == null ? null : accept(proposal);
        }
        int number = numbers.getAndAdd(kind == Kind.BATCH ? Asked.OF_A_BATCH : 1);
        Asked call = note(kind, number, 0, () -> switch (kind) {
            case VALIDATE -> queue.agent().post(API + "policy/validate", Asked.trade(number));
            case BATCH -> queue.agent().post(API + "policy/validate-batch", Asked.batch(number));
            default -> queue.proposeOnce(number);
        });
        if (kind == Kind.PROPOSE && call.is(200)) {
            proposed.add(call);
        }
        return call;
    }

    private Asked accept(Asked proposal) {
        JsonNode answer = proposal.answer().orElseThrow().json();
        long id = answer.path("serviceRequestId").longValue();
        if (id == 0) {
            throw new AssertionError("What an experiment proposes is allowed: " + answer);
        }
        return note(Kind.ACCEPT, proposal.number(), id, () -> queue.accept(id));
    }

    private Asked note(Kind kind, int number, long request, Supplier<Seen> sent) {
        long begun = System.nanoTime();
        Optional<Seen> answer;
        try {
            answer = Optional.of(sent.get());
        } catch (UncheckedIOException gone) {
            answer = Optional.empty();
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        Asked call = new Asked(kind, number, request, answer, millis);
        asked.add(call);
        return call;
    }
}
