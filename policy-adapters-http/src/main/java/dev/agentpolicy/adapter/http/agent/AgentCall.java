package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.AgentUseCases;
import dev.agentpolicy.domain.usecase.agent.Caller;
import io.javalin.http.Context;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of an agent that passed the gate.
 *
 * @param ctx its request and response
 * @param caller the key that calls, and its account
 * @param budget what is left of the rate limit of this second
 * @param callsToday calls counted towards the daily cap of the key, this one included; null if the key has no cap, or
 *     if the call is counted later
 * @param refusals sends the error response of a refused call
 */
public record AgentCall(
        Context ctx,
        Caller caller,
        RateBudget budget,
        @Nullable Long callsToday,
        BiConsumer<Context, ErrorResponse> refusals) {

    public AgentUseCases useCases() {
        return caller.useCases();
    }

    void answer(Consumer<JsonWriter> body) {
        Reply.object(ctx, 200, body);
    }

    /** Answers with headers that name the event of the decision. The sandbox has no such event. */
    public void answer(@Nullable Receipt receipt, Consumer<JsonWriter> body) {
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
        refusals.accept(ctx, answer.challenged());
    }
}
