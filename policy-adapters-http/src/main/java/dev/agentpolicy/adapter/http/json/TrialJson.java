package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.usecase.policy.TryTrade.Trial;

/** Writes how a trade would be decided (docs/reference/app-api.md, trying a trade). */
public final class TrialJson {

    private TrialJson() {}

    public static void write(JsonWriter out, Trial trial) {
        out.object("decision", trial.decision(), DecisionJson::write)
                .object("headroom", trial.headroom(), HeadroomJson::write);
    }
}
