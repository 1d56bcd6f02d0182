package dev.agentpolicy.archfixture.domain.usecase;

import java.util.concurrent.CompletableFuture;

/** Breaks a rule on purpose: nobody hears of what failed. */
public final class DropsAFailure {
    CompletableFuture<String> silent(CompletableFuture<String> future) {
        return future.exceptionally(failed -> "done");
    }
}
