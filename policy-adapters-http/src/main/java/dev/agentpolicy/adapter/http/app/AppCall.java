package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.usecase.Answer;
import io.javalin.http.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call in a session.
 *
 * @param ctx its request and response
 * @param user whose account it is about
 * @param email the address of the user
 * @param session the hash of the token of the session
 * @param viewer the viewer whose session it is; null for a session of the user
 */
record AppCall(
        Context ctx,
        UserId user,
        String email,
        String session,
        @Nullable Viewer viewer) {
    private static final int NO_CONTENT = 204;

    Query query() {
        return Query.of(ctx);
    }

    void answer(Consumer<JsonWriter> body) {
        Reply.compressed(ctx, JsonWriter.object(body));
    }

    /** Answers with the result of a change. */
    <T> void answer(int status, Answer<T> changed, BiConsumer<JsonWriter, T> body) {
        T given = Reply.given(changed);
        Reply.object(ctx, status, out -> body.accept(out, given));
    }

    /**
     * Answers with the result of a change that waits for a custodian.
     *
     * @param asking runs the change; the answer is sent by a server thread
     */
    <T> void answer(int status, Executor asking, Supplier<Answer<T>> change, BiConsumer<JsonWriter, T> body) {
        answer(status, CompletableFuture.supplyAsync(change, asking), body);
    }

    /** Answers 204 after a change. */
    void answerNothing(Answer<?> changed) {
        Reply.given(changed);
        ctx.status(NO_CONTENT);
    }

    /** Answers with the result of a change once it is committed. */
    <T> void answer(int status, CompletionStage<Answer<T>> change, BiConsumer<JsonWriter, T> body) {
        Reply.onServerThread(ctx, change, changed -> answer(status, changed, body));
    }
}
