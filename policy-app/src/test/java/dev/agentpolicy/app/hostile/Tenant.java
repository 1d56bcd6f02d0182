package dev.agentpolicy.app.hostile;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Await;
import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.TestHousehold;
import java.util.LinkedHashSet;
import java.util.Set;

/** A user of the service with data of every kind. */
final class Tenant {
    static final int VERSIONS = 6;

    final TestHousehold household;
    final ApiCaller user;
    final ApiCaller agent;
    final String keyId;
    final String key;
    final String custodian;
    String requestId = "";

    /** @param mark part of all texts of this user */
    Tenant(String address, String mark) {
        household = TestHousehold.withPolicy(new ApiCaller(address));
        user = household.user();
        JsonNode minted = household.mint("live");
        keyId = minted.get("agentKeyId").textValue();
        key = minted.get("key").textValue();
        agent = household.agent(minted);
        custodian = "vault-of-" + mark;
        user.put(
                        APP + "custodians/" + custodian,
                        "{\"name\":\"Vault of " + mark
                                + "\",\"kind\":\"paper\",\"cash\":5000,\"positions\":[{\"symbol\":\"X" + mark
                                + "\",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":10}]}")
                .ok();
        for (int version = 2; version <= VERSIONS; version++) {
            user.put(
                            APP + "ips",
                            TestHousehold.demo("ips.json")
                                    .replaceFirst("\"tier\"\\s*:\\s*\\d", "\"tier\": " + (version % 5 + 1)))
                    .ok();
        }
        user.put(APP + "ips/shadow", "{\"document\":" + TestHousehold.demo("ips.json") + "}")
                .ok();
        propose(mark);
    }

    private void propose(String mark) {
        for (int i = 0; i < 3; i++) {
            String asked = trade("buy", "SPY", "tradfi", "1").replace("}", ",\"rationale\":\"Note of " + mark + "\"}");
            requestId = agent.post(API + "trades/propose", asked)
                    .ok()
                    .json()
                    .get("serviceRequestId")
                    .asText();
        }
        agent.post(API + "policy/validate", trade("sell", "X" + mark, "tradfi", "1"))
                .ok();
    }

    /** What they would send where a path or a query asks for something of theirs. */
    String value(Endpoint endpoint, String name) {
        return switch (name) {
            case "{id}" ->
                endpoint.path().contains("/keys/")
                        ? keyId
                        : endpoint.path().contains("/requests/") ? requestId : custodian;
            case "{n}" -> Integer.toString(VERSIONS);
            case "agentKeyId" -> keyId;
            case "cursor" ->
                endpoint.path().endsWith("/reconciliation")
                        ? requestId
                        : user.get(endpoint.path().replace(API + "policy/", APP) + "?limit=1")
                                .ok()
                                .json()
                                .get("nextCursor")
                                .textValue();
            case "documents" -> "true";
            case "limit", "days", "before" -> "30";
            case "since", "from" -> "2020-01-01T00:00:00Z";
            case "to" -> "2040-01-01T00:00:00Z";
            case "order" -> "asc";
            case "eventType", "kinds" -> "guardrail.decision";
            case "allowed" -> "true";
            case "status" -> "pending";
            case "symbol" -> "SPY";
            case "rule" -> "cash_floor";
            case "text" -> "buy";
            case "format" -> "csv";
            case "{token}" -> "none";
            case "{seq}" -> "1";
            case "response_type" -> "code";
            case "client_id", "redirect_uri", "code_challenge", "code_challenge_method", "resource", "scope", "state" ->
                "https://a.example/" + name;
            default -> throw new IllegalStateException("Say here what " + name + " of " + endpoint + " is.");
        };
    }

    /** The path of an endpoint with their ids in it. */
    String path(Endpoint endpoint) {
        String path = endpoint.path();
        for (String name : Set.of("{id}", "{n}", "{token}", "{seq}")) {
            path = path.contains(name) ? path.replace(name, value(endpoint, name)) : path;
        }
        return path;
    }

    /** Every text in every answer to their own reading, once their rows are in the log. Nothing is pushed to devices here. */
    Set<String> texts() {
        Set<String> texts = new LinkedHashSet<>(Set.of(key, household.userId()));
        Await.until(() -> user.get(APP + "log").status() == 200);
        for (Endpoint endpoint : Endpoint.all()) {
            if (!endpoint.changes()
                    && !endpoint.path().contains("/connections/")
                    && !endpoint.path().endsWith("/proof")
                    && !endpoint.path().endsWith("/push")
                    && (endpoint.isOfUsers() || endpoint.isOfAgents())
                    && !endpoint.path().endsWith("openapi.json")) {
                ApiCaller caller = endpoint.isOfUsers() ? user : agent;
                collect(caller.get(path(endpoint)).ok().json(), texts);
            }
        }
        return texts;
    }

    private static void collect(JsonNode node, Set<String> texts) {
        if (node.isTextual()) {
            texts.add(node.textValue());
        }
        node.fieldNames().forEachRemaining(texts::add);
        node.forEach(child -> collect(child, texts));
    }

    /** All they have, which must stay as it is. */
    String state() {
        StringBuilder state = new StringBuilder();
        for (String name : new String[] {
            "me", "ips", "ips/versions", "portfolio", "custodians", "keys", "requests", "reconciliation", "audit"
        }) {
            state.append(user.get(APP + name).ok().text()).append('\n');
        }
        return state.append(user.get(APP + "events?limit=500").ok().json().get("events"))
                .toString();
    }
}
