package dev.agentpolicy.app;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;

/**
 * An agent that asks by the AuthZEN standard. Bodies are written with single quotes; {@code $ME} is the subject of the
 * agent, and {@code $BUY} and {@code $DENIED} are evaluations that are permitted and denied.
 *
 * @param agent makes the calls
 * @param keyId the id of its key
 */
record AccessCaller(ApiCaller agent, String keyId) {
    static final String EVALUATION = "/access/v1/evaluation";
    static final String EVALUATIONS = "/access/v1/evaluations";
    static final String SPY = asset("SPY", "tradfi");
    static final String ETH = asset("ETH", "crypto");

    private static final String BUY =
            "{'subject':$ME,'action':{'name':'buy'},'resource':" + SPY + ",'context':{'amountUsd':100}}";

    static AccessCaller of(TestHousehold household, JsonNode minted) {
        return new AccessCaller(
                household.agent(minted), minted.get("agentKeyId").textValue());
    }

    static String asset(String symbol, String type) {
        return "{'type':'asset','id':'" + symbol + "','properties':{'assetType':'" + type + "'}}";
    }

    /** The JSON of a body. */
    String json(String body) {
        return body.replace("$BUY", BUY)
                .replace("$DENIED", BUY.replace("100", "90000"))
                .replace("$ME", "{'type':'agent','id':'" + keyId + "'}")
                .replace('\'', '"');
    }

    Seen one(String body) {
        return agent.post(EVALUATION, json(body));
    }

    Seen several(String body) {
        return agent.post(EVALUATIONS, json(body));
    }

    AccessCaller with(String header, String value) {
        return new AccessCaller(agent.with(header, value), keyId);
    }
}
