package dev.agentpolicy.adapter.jdbc;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Threads that ask the database for callers that do not wait on a thread of their own, and answer them. */
final class Asking implements AutoCloseable {
    private static final long IDLE_SECONDS = 10;
    private static final long LONGEST_SECONDS = 30;

    private final Answers answers = new Answers();
    private final ThreadPoolExecutor threads;

    /**
     * Threads of a name.
     *
     * @param count how many kinds of things can be asked at the same time
     */
    Asking(String name, int count) {
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named(name));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Those who give callers their answers, here and elsewhere. */
    Answers answers() {
        return answers;
    }

    <K, V> Together<K, V> together(Function<Collection<K>, Map<K, V>> asking) {
        return new Together<>(asking, threads, answers);
    }

    /** Returns when everything that was asked is answered. */
    @Override
    public void close() {
        Daemons.finish(threads, LONGEST_SECONDS);
        answers.close();
    }
}
