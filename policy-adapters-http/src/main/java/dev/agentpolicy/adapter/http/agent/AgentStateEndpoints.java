package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.usecase.Answer;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** Answers {@code whoami}, {@code mandate} and {@code holdings}. */
final class AgentStateEndpoints {

    private AgentStateEndpoints() {}

    static void whoami(AgentCall call) {
        AgentKey key = call.caller().key();
        call.answer(out -> KeyJson.write(out, key, call.budget()));
    }

    static void mandate(AgentCall call) {
        read(call, call.useCases().readState().mandate(call.caller(), call.callsToday()), IpsJson::write);
    }

    static void holdings(AgentCall call) {
        read(call, call.useCases().readState().holdings(call.caller()), HoldingsJson::write);
    }

    private static <T> void read(AgentCall call, CompletionStage<Answer<T>> stage, BiConsumer<JsonWriter, T> writer) {
        Reply.onCompletingThread(
                call.ctx(),
                stage,
                answer -> Reply.either(answer, it -> call.answer(out -> writer.accept(out, it)), call::refuse));
    }
}
