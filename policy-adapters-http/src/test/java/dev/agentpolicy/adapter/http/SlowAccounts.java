package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that accepts changes and commits them on command. */
public final class SlowAccounts implements Accounts {
    public final CompletableFuture<Boolean> commit = new CompletableFuture<>();
    public final AtomicInteger arrived = new AtomicInteger();
    public volatile boolean isSlow;
    private Accounts store;

    /** Wraps a store. */
    public Accounts before(Accounts behind) {
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
