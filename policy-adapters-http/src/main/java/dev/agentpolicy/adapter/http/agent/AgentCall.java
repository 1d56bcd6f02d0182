package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.event.chain.Receipt;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.Desk;
import io.javalin.http.Context;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of an agent that was let in.
 *
 * @param ctx its request and its answer
 * @param caller who calls
 * @param budget what is left of its second
 * @param callsToday what is counted for the daily call cap of the key, this call included; null when it has none, or the
 *     call is counted later
 * @param refusals answers a call that is refused
 */
record AgentCall(
        Context ctx,
        Caller caller,
        RateBudget budget,
        @Nullable Long callsToday,
        BiConsumer<Context, ErrorResponse> refusals) {

    Desk desk() {
        return caller.desk();
    }

    void answer(Consumer<JsonWriter> body) {
        Reply.object(ctx, 200, body);
    }

    /** Answers with the place of the decision in the log; the sandbox has none that could be looked up. */
    void answer(@Nullable Receipt receipt, Consumer<JsonWriter> body) {
        if (receipt != null && !desk().isSandbox()) {
            ctx.header("X-Policy-Event-Seq", Long.toString(receipt.seq()));
            ctx.header("X-Policy-Event-Hash", receipt.hash());
        }
        answer(body);
    }

    void refuse(Refusal refusal) {
        refuse(ErrorResponse.of(refusal));
    }

    void refuse(ErrorResponse answer) {
        refusals.accept(ctx, answer.challenged());
    }
}
