package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.agent.Scope;

/** Writes who a key belongs to and what it may do (specification, WhoamiResponse). */
public final class WhoamiJson {
    private static final String PRODUCT_LINE = "Agent Policy";

    private WhoamiJson() {}

    public static void write(JsonWriter out, AgentKey key, RateBudget budget) {
        out.text("userId", key.userId().toString())
                .texts("scopes", IpsJson.sorted(key.scopes()), Scope::wireName)
                .text("keyType", key.type().wireName())
                .object("rateLimit", budget, WhoamiJson::budget)
                .text("productLine", PRODUCT_LINE);
    }

    private static void budget(JsonWriter out, RateBudget budget) {
        out.integer("perSecond", budget.perSecond())
                .integer("remainingThisSecond", budget.remaining())
                .integer("resetSeconds", budget.resetSeconds());
    }
}
