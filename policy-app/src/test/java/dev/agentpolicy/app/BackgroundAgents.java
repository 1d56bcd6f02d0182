package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Agents that call whoami all the time, each within its budget, and collect unexpected answers. */
final class BackgroundAgents implements AutoCloseable {
    private static final int PAUSE_MILLIS = 40;

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<Thread> threads;
    private volatile boolean isOver;

    private BackgroundAgents(List<ApiCaller> agents) {
        threads = agents.stream().map(agent -> new Thread(() -> ask(agent))).toList();
    }

    static BackgroundAgents of(ApiCaller... agents) {
        BackgroundAgents load = new BackgroundAgents(List.of(agents));
        load.threads.forEach(Thread::start);
        return load;
    }

    @Override
    public void close() {
        isOver = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    int calls() {
        return calls.get();
    }

    private void ask(ApiCaller agent) {
        while (!isOver) {
            try {
                check(agent.get(API + "whoami"));
                Thread.sleep(PAUSE_MILLIS);
            } catch (RuntimeException | InterruptedException failed) {
                failures.add(failed.toString());
            }
            calls.incrementAndGet();
        }
    }

    private void check(Seen seen) {
        JsonNode said = seen.status() == 200 ? seen.json().get("rateLimit") : null;
        boolean isTheSame = said != null
                && seen.header("X-RateLimit-Limit").equals(said.get("perSecond").asText())
                && seen.header("X-RateLimit-Remaining")
                        .equals(said.get("remainingThisSecond").asText())
                && seen.header("X-RateLimit-Reset")
                        .equals(said.get("resetSeconds").asText());
        if (!isTheSame) {
            failures.add(seen.status() + " " + seen.headers().map() + " " + seen.text());
        }
    }
}
