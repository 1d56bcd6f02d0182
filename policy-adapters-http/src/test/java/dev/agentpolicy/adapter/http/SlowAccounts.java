package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that takes in changes and commits them only when told to. */
final class SlowAccounts implements Accounts {
    final CompletableFuture<Boolean> commit = new CompletableFuture<>();
    final AtomicInteger arrived = new AtomicInteger();
    volatile boolean isSlow;
    private Accounts store;

    /** Puts itself before a store. */
    Accounts before(Accounts behind) {
        store = behind;
        return this;
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        if (!isSlow) {
            return store.change(user, change);
        }
        arrived.incrementAndGet();
        return commit.thenComposeAsync(now -> store.change(user, change));
    }
}
