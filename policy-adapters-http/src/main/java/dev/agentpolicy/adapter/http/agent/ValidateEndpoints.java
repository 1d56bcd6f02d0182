package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.BatchJson;
import dev.agentpolicy.adapter.http.json.BatchJson.Item;
import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.util.List;

/** Answers dry runs of one trade or a batch of trades (specification, Behaviour rules 1 to 3). */
final class ValidateEndpoints {

    private ValidateEndpoints() {}

    static void one(AgentCall call) {
        call.read(TradePayload::read, trade -> one(call, trade), wrong -> call.refuse(wrong.denying("allowed")));
    }

    private static void one(AgentCall call, SentTrade trade) {
        Reply.onCompletingThread(
                call.ctx(),
                call.useCases().validateTrade().one(call.caller(), trade),
                answer -> Reply.either(
                        answer,
                        recorded -> call.answer(recorded.receipt(), out -> DecisionJson.write(out, recorded.value())),
                        call::refuse));
    }

    static void batch(AgentCall call) {
        call.form()
                .bytes(
                        call.ctx(),
                        sent -> Reply.either(
                                BatchJson.read(sent),
                                items -> batch(call, items),
                                wrong -> call.refuse(wrong.denying("allowed"))));
    }

    private static void batch(AgentCall call, List<Item> items) {
        List<Reading<SentTrade>> trades = items.stream().map(Item::trade).toList();
        Reply.onServerThread(
                call.ctx(),
                call.useCases().validateTrade().batch(call.caller(), trades),
                answer -> Reply.either(
                        answer,
                        recorded ->
                                call.answer(recorded.receipt(), out -> BatchJson.write(out, items, recorded.value())),
                        call::refuse));
    }
}
