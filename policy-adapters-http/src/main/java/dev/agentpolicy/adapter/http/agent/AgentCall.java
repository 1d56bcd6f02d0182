package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.AgentUseCases;
import dev.agentpolicy.domain.usecase.agent.Caller;
import io.javalin.http.Context;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call of an agent that passed the gate.
 *
 * @param ctx its request and response
 * @param caller the key that calls, and its account
 * @param budget what is left of the rate limit of this second
 * @param callsToday calls counted towards the daily cap of the key, this one included; null if the key has no cap, or
 *     if the call is counted later
 * @param form how it carries its input and is answered
 * @param refusals sends the error response of a refused call
 */
public record AgentCall(
        Context ctx,
        Caller caller,
        RateBudget budget,
        @Nullable Long callsToday,
        CallForm form,
        BiConsumer<Context, ErrorResponse> refusals) {
    private static final String DECIDED = "decided-call";

    /** Whether a call was answered with one or more decisions. */
    public static boolean isDecided(Context ctx) {
        return ctx.attribute(DECIDED) != null;
    }

    public AgentUseCases useCases() {
        return caller.useCases();
    }

    <T> void read(Function<Document, Reading<T>> parser, Consumer<? super T> success, Consumer<ErrorResponse> failure) {
        form.read(ctx, parser, success, failure);
    }

    Query query() {
        return form.query(ctx);
    }

    /** Blocks in its turn among the reads of a user, and answers when the turn is over. */
    <T> void readInTurn(FairShare share, UserId user, Supplier<T> read, Consumer<T> answer) {
        RequestDispatch.blocking(ctx, () -> share.read(ctx, user, read, answer));
    }

    /** Continues with the value of an answer, or refuses the call. */
    public <T> Consumer<Answer<T>> answering(Consumer<? super T> given) {
        return answer -> Reply.either(answer, given, this::refuse);
    }

    void answer(Consumer<JsonWriter> body) {
        answer(JsonWriter.object(body));
    }

    void answer(byte[] json) {
        form.answer(ctx, json);
    }

    /** Answers with decisions, and with headers that name the event of the last one. The sandbox has no such event. */
    public void answer(@Nullable Receipt receipt, Consumer<JsonWriter> body) {
        ctx.attribute(DECIDED, true);
        if (receipt != null && !useCases().isSandbox()) {
            ctx.header("X-Policy-Event-Seq", Long.toString(receipt.seq()));
            ctx.header("X-Policy-Event-Hash", receipt.hash());
        }
        answer(body);
    }

    public void refuse(Refusal refusal) {
        refuse(ErrorResponse.of(refusal));
    }

    public void refuse(ErrorResponse answer) {
        refusals.accept(ctx, answer);
    }
}
