package dev.agentpolicy.adapter.http;

import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.MandateJson;
import dev.agentpolicy.adapter.http.json.WhoamiJson;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.usecase.ReadState.Mandate;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What an agent may know of itself and of the account it acts on: whoami, mandate, holdings. */
final class State {

    private State() {}

    static void whoami(AgentCall call) {
        AgentKey key = call.caller().key();
        call.answer(out -> WhoamiJson.write(out, key, call.budget()));
    }

    static void mandate(AgentCall call) {
        CompletionStage<Mandate> mandate = call.desk().readState().mandate(call.caller());
        Reply.soon(
                call.ctx(),
                mandate,
                it -> call.answer(
                        out -> MandateJson.write(out, it, call.caller().key())));
    }

    static void holdings(AgentCall call) {
        CompletionStage<Optional<Portfolio>> portfolio = call.desk().readState().portfolio(call.caller());
        Reply.soon(call.ctx(), portfolio, it -> call.answer(out -> HoldingsJson.write(out, it.orElse(null))));
    }
}
