package dev.agentpolicy.app;

import static dev.agentpolicy.app.Household.API;
import static dev.agentpolicy.app.Household.APP;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.Caller.Seen;

/** What an agent of a household puts into its queue, and what its user does about it. */
record Queue(Household household, Caller agent) {

    static Queue of(Caller stranger, String policy) {
        Household household = Household.withPolicy(stranger);
        return new Queue(
                household, household.agent(household.mint("live", "\"read\",\"validate\",\"propose\"", policy)));
    }

    static Queue of(Caller stranger) {
        return of(stranger, "{}");
    }

    Seen propose(String trade) {
        return agent.post(API + "trades/propose", trade);
    }

    /** The id of the request that a buy of SPY became. */
    long queued(String amount) {
        return propose(Household.trade("buy", "SPY", "tradfi", amount))
                .ok()
                .json()
                .get("serviceRequestId")
                .longValue();
    }

    Seen accept(long id) {
        return household.user().post(path(id) + "/accept", "");
    }

    Seen reject(long id, String body) {
        return household.user().post(path(id) + "/reject", body);
    }

    JsonNode request(long id) {
        return household.user().get(path(id)).ok().json();
    }

    JsonNode portfolio() {
        return household.user().get(APP + "portfolio").ok().json();
    }

    /** Rows of the agent's audit feed, newest first. */
    JsonNode audit() {
        return agent.get(API + "audit?limit=100").ok().json();
    }

    /** Payloads of one kind of event, oldest first. */
    JsonNode events(String kind) {
        return agent.get(API + "policy/events?eventType=" + kind + "&limit=500")
                .ok()
                .json()
                .get("events");
    }

    void hold(String custodian, String cash, String positions) {
        household
                .user()
                .put(
                        APP + "custodians/" + custodian,
                        "{\"name\":\"Paper\",\"kind\":\"paper\",\"cash\":" + cash + ",\"positions\":" + positions + "}")
                .ok();
    }

    static String path(long id) {
        return APP + "requests/" + id;
    }
}
