package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.policy.TryTrade;
import dev.agentpolicy.domain.usecase.policy.TryTrade.Trial;

/** Answers trials of a trade, which record nothing. */
final class TrialEndpoints {
    private final TryTrade tryTrade;

    TrialEndpoints(TryTrade tryTrade) {
        this.tryTrade = tryTrade;
    }

    void underPolicy(AppCall call) {
        Body.read(
                call.ctx(),
                TradePayload::read,
                trade -> answer(call, tryTrade.underPolicy(call.user(), trade)),
                call::refuse);
    }

    void byKey(AppCall call) {
        KeyEndpoints.withId(
                call,
                id -> Body.read(
                        call.ctx(),
                        TradePayload::read,
                        trade -> Reply.either(
                                tryTrade.byKey(call.user(), id, trade), trial -> answer(call, trial), call::refuse),
                        call::refuse));
    }

    private static void answer(AppCall call, Trial trial) {
        call.answer(out -> DecisionJson.write(out, trial));
    }
}
