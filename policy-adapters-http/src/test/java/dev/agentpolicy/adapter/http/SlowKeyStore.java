package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.port.AgentKeys;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Finds keys like a remote store: later, and all on one thread, on which every caller depends. */
public final class SlowKeyStore implements AgentKeys, AutoCloseable {
    private final AgentKeys keys;
    private final AtomicInteger lookUps = new AtomicInteger();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "late-keys");
        thread.setDaemon(true);
        return thread;
    });

    public SlowKeyStore(AgentKeys keys) {
        this.keys = keys;
    }

    /** How often the store was asked. */
    int lookUps() {
        return lookUps.get();
    }

    @Override
    public CompletionStage<Optional<AgentKey>> find(String credentialHash) {
        lookUps.incrementAndGet();
        CompletableFuture<Optional<AgentKey>> answer = new CompletableFuture<>();
        CompletableFuture<Optional<AgentKey>> found = keys.find(credentialHash).toCompletableFuture();
        thread.execute(() -> found.whenComplete((key, failed) -> {
            if (failed == null) {
                answer.complete(key);
            } else {
                answer.completeExceptionally(failed);
            }
        }));
        return answer;
    }

    @Override
    public Optional<AgentKey> recall(String credentialHash) {
        return keys.recall(credentialHash);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
