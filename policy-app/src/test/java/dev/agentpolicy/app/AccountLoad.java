package dev.agentpolicy.app;

import dev.agentpolicy.app.NumberedCall.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Callers of one account that go on until their service is gone or the test stops them. */
final class AccountLoad {
    private static final List<Kind> CALLERS = List.of(
            Kind.VALIDATE,
            Kind.VALIDATE,
            Kind.BATCH,
            Kind.PROPOSE,
            Kind.PROPOSE,
            Kind.ACCEPT,
            Kind.ACCEPT,
            Kind.ACCEPT,
            Kind.REJECT,
            Kind.MINT,
            Kind.AMEND,
            Kind.HOLD,
            Kind.SIGN_UP);
    /** Of those who do what is done less often, so that most calls are what agents do. */
    private static final Map<Kind, Integer> PAUSE_MILLIS =
            Map.of(Kind.MINT, 40, Kind.AMEND, 60, Kind.HOLD, 60, Kind.SIGN_UP, 200);

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int RETRY_MILLIS = 50;

    private final LoadCalls chores;
    private final Collection<NumberedCall> asked = new ConcurrentLinkedQueue<>();
    private final List<Thread> callers;
    private final Collection<Throwable> wrong = new ConcurrentLinkedQueue<>();
    private volatile boolean isOver;

    private AccountLoad(ProposalClient queue, AtomicInteger numbers) {
        this.chores = new LoadCalls(queue, numbers);
        this.callers = CALLERS.stream()
                .map(kind -> new Thread(() -> keepCalling(kind), "caller-" + kind))
                .toList();
    }

    /** Begins; no number is used twice. */
    static AccountLoad on(ProposalClient queue, AtomicInteger numbers) {
        AccountLoad load = new AccountLoad(queue, numbers);
        load.callers.forEach(Thread::start);
        return load;
    }

    /** Waits until so many calls were answered in a way, from now on. */
    void until(int count, Predicate<NumberedCall> isSo) throws InterruptedException {
        until(fresh -> fresh.filter(isSo).count() >= count);
    }

    /** Waits until calls of each kind were answered by a status, from now on. */
    void untilEachOf(Set<Kind> kinds, int status) throws InterruptedException {
        until(fresh -> fresh.filter(call -> call.is(status))
                .map(NumberedCall::kind)
                .collect(Collectors.toSet())
                .containsAll(kinds));
    }

    private void until(Predicate<Stream<NumberedCall>> isSo) throws InterruptedException {
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

    /** All calls, once the callers have ended. */
    Collection<NumberedCall> end() throws InterruptedException {
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
                NumberedCall last = chores.next(kind);
                if (last == null) {
                    continue;
                }
                asked.add(last);
                if (last.answer().isEmpty()) {
                    return;
                }
                Thread.sleep(last.is(503) ? RETRY_MILLIS : PAUSE_MILLIS.getOrDefault(kind, 0));
            }
        } catch (InterruptedException | RuntimeException | AssertionError answer) {
            wrong.add(answer);
        }
    }
}
