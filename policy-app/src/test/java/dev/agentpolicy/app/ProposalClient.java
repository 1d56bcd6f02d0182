package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Proposes trades as an agent, and accepts or rejects them as its user. */
public record ProposalClient(TestHousehold household, ApiCaller agent) {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    public static ProposalClient of(ApiCaller stranger, String policy) {
        TestHousehold household = TestHousehold.withPolicy(stranger);
        return new ProposalClient(
                household, household.agent(household.mint("live", "\"read\",\"validate\",\"propose\"", policy)));
    }

    public static ProposalClient of(ApiCaller stranger) {
        return of(stranger, "{}");
    }

    /** The same at another node, or at the next process. */
    ProposalClient at(String address) {
        return new ProposalClient(
                new TestHousehold(household.user().at(address), household.userId()), agent.at(address));
    }

    /** Proposes a trade of an experiment, by a key that it always has. */
    Seen proposeOnce(int number) {
        return agent.with("Idempotency-Key", "proposal-" + number)
                .post(API + "trades/propose", NumberedBodies.trade(number));
    }

    public Seen propose(String trade) {
        return agent.post(API + "trades/propose", trade);
    }

    /** The id of the request that a buy of SPY became. */
    public long queued(String amount) {
        return propose(TestHousehold.trade("buy", "SPY", "tradfi", amount))
                .ok()
                .json()
                .get("serviceRequestId")
                .longValue();
    }

    public Seen accept(long id) {
        return household.user().post(path(id) + "/accept", "");
    }

    Seen reject(long id, String body) {
        return household.user().post(path(id) + "/reject", body);
    }

    /** Waits until no accepted request is on its way to a fill any more. */
    void executed(Collection<Long> ids) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ids.stream().anyMatch(id -> isInProgress(request(id)))) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not done: " + ids);
            }
            Thread.sleep(200);
        }
    }

    static boolean isInProgress(JsonNode request) {
        return request.path("execution").path("status").asText().equals("in_progress");
    }

    /** The request as it is recorded, without how it would be decided at this moment. */
    public JsonNode request(long id) {
        Seen seen = household.user().get(path(id));
        if (seen.status() != 200) {
            throw new AssertionError("Request " + id + ": " + seen);
        }
        return ((ObjectNode) seen.json()).without("now");
    }

    /** Every request by its id. */
    Map<Long, JsonNode> requests() {
        Map<Long, JsonNode> requests = new TreeMap<>();
        String cursor = "";
        while (cursor != null) {
            JsonNode page = household
                    .user()
                    .get(APP + "requests?limit=100" + cursor)
                    .ok()
                    .json();
            page.get("requests").forEach(it -> requests.put(it.get("id").longValue(), it));
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? null : "&cursor=" + next.textValue();
        }
        return requests;
    }

    public JsonNode portfolio() {
        return household.user().get(APP + "portfolio").ok().json();
    }

    /** The cash of a custodian; empty if there is no such custodian. */
    Optional<String> cash(String custodian) {
        return portfolio().get("custodians").findParents("cash").stream()
                .filter(it -> it.get("id").textValue().equals(custodian))
                .map(it -> it.get("cash").textValue())
                .findFirst();
    }

    /** Rows of the agent's audit feed, newest first. */
    JsonNode audit() {
        return agent.get(API + "audit?limit=100").ok().json();
    }

    /** Payloads of one kind of event, oldest first. */
    public JsonNode events(String kind) {
        return agent.get(API + "policy/events?eventType=" + kind + "&limit=500")
                .ok()
                .json()
                .get("events");
    }

    /** Replaces what a paper custodian holds; it also has prices for what the demonstration holds. */
    void hold(String custodian, String cash, String positions) {
        household
                .user()
                .put(
                        APP + "custodians/" + custodian,
                        "{\"name\":\"Paper\",\"kind\":\"paper\",\"cash\":" + cash + ",\"positions\":" + positions
                                + ",\"prices\":{\"BTC\":50000,\"SPY\":650,\"AGG\":100}}")
                .ok();
    }

    static String path(long id) {
        return APP + "requests/" + id;
    }
}
