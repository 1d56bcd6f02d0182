package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.http.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A call of a user who is signed in.
 *
 * @param ctx its request and response
 * @param user the user
 * @param email the address the user signed in with
 * @param session the hash of the token of the session
 */
record AppCall(Context ctx, UserId user, String email, String session) {
    private static final int NO_CONTENT = 204;

    Query query() {
        return Query.of(ctx);
    }

    /** Reads the body and continues with its value, or refuses the call with all that is wrong with it. */
    <T> void read(Function<Document, Reading<T>> parser, Consumer<? super T> work) {
        work.accept(Body.read(ctx, parser));
    }

    /** As above; a missing body counts as an empty object. */
    <T> void readOptional(Function<Document, Reading<T>> parser, Consumer<? super T> work) {
        work.accept(Body.readOptional(ctx, parser));
    }

    /** For calls that take no members. */
    void readNone(Runnable work) {
        Body.readNone(ctx);
        work.run();
    }

    void answer(Consumer<JsonWriter> body) {
        Reply.object(ctx, 200, body);
    }

    void refuse(Refusal refusal) {
        refuse(ErrorResponse.of(refusal));
    }

    void refuse(ErrorResponse answer) {
        answer.send(ctx);
    }

    /** Answers with the result of a change. */
    <T> void answer(int status, Answer<T> changed, BiConsumer<JsonWriter, T> body) {
        Reply.either(changed, given -> Reply.object(ctx, status, out -> body.accept(out, given)), this::refuse);
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
        Reply.either(changed, done -> ctx.status(NO_CONTENT), this::refuse);
    }

    /** Answers with the result of a change once it is committed. */
    <T> void answer(int status, CompletionStage<Answer<T>> change, BiConsumer<JsonWriter, T> body) {
        Reply.onServerThread(
                ctx,
                change,
                answer -> Reply.either(
                        answer, given -> Reply.object(ctx, status, out -> body.accept(out, given)), this::refuse));
    }
}
