package dev.agentpolicy.adapter.http;

import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.MandateJson;
import dev.agentpolicy.adapter.http.json.WhoamiJson;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.usecase.ReadState.Mandate;

/** What an agent may know of itself and of the account it acts on: whoami, mandate, holdings. */
final class State {

    private State() {}

    static void whoami(AgentCall call) {
        AgentKey key = call.caller().key();
        call.answer(out -> WhoamiJson.write(out, key, call.budget()));
    }

    static void mandate(AgentCall call) {
        Mandate mandate = call.desk().readState().mandate(call.caller());
        call.answer(out -> MandateJson.write(out, mandate, call.caller().key()));
    }

    static void holdings(AgentCall call) {
        Portfolio portfolio =
                call.desk().readState().portfolio(call.caller().account()).orElse(null);
        call.answer(out -> HoldingsJson.write(out, portfolio));
    }
}
