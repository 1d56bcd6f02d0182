package dev.agentpolicy.app.console;

import dev.agentpolicy.app.RunningService.Demonstration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/**
 * Somebody who is set up: the balanced policy, 100 000 USD on paper, and an agent with a key.
 *
 * @param email to sign in with
 * @param session token of the session
 * @param app what the person may do by script
 * @param agent what the agent may do
 */
record ConsoleHousehold(String address, String email, String session, ConsoleAgent app, ConsoleAgent agent) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    static final String PASSWORD = "correct horse battery";
    static final String BUY_BTC = """
            {"action":"buy","assetSymbol":"BTC","assetType":"crypto","amountUsd":5000,"expectedSlippagePct":0.5,
             "rationale":"Crypto is under its target."}""";
    static final String SELL_SPY =
            "{\"action\":\"sell\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1000}";
    private static final String POLICY = """
            {"crypto":{"min":0.05,"target":0.2,"max":%s},"tradfi":{"min":0.4,"target":0.65,"max":0.8},
             "cashFloor":0.05,"maxDrawdown":0.25,"maxSlippage":0.01,"allowedActions":["buy","sell"],
             "assetAuthority":{"default":"full","assets":{"DOGE":"monitor"}},
             "standingRules":[{"id":"no-nights","effect":"block","reason":"We sleep",
               "when":{"symbols":["SHIB"],"hours":{"start":22,"end":6,"tz":"Europe/Berlin"}}}],"tier":3}""";
    private static final String HOLDINGS = """
            {"name":"Paper","kind":"paper","cash":"20000","positions":[
             {"symbol":"BTC","assetType":"crypto","quantity":"0.25","price":"80000"},
             {"symbol":"SPY","assetType":"tradfi","quantity":"110","price":"500"},
             {"symbol":"AGG","assetType":"tradfi","quantity":"50","price":"100"}]}""";

    static ConsoleHousehold at(String address) {
        ConsoleHousehold household = withoutHoldings(address);
        household.app.call("PUT", "/custodians/paper", HOLDINGS);
        return household;
    }

    /** The user of the demonstration, who has a policy, a paper portfolio, an agent and 60 days of history. */
    static ConsoleHousehold of(Demonstration demo) {
        String address = demo.service().address();
        String session = ConsoleAgent.signIn(address, demo.email(), demo.password());
        return new ConsoleHousehold(
                address,
                demo.email(),
                session,
                ConsoleAgent.withSession(address, session),
                ConsoleAgent.withKey(address, demo.key()));
    }

    /** Somebody with the policy and an agent, of whose holdings the service does not know yet. */
    static ConsoleHousehold withoutHoldings(String address) {
        String email = "household" + COUNT.incrementAndGet() + "@example.org";
        String session = ConsoleAgent.signUp(address, email, PASSWORD);
        ConsoleAgent app = ConsoleAgent.withSession(address, session);
        app.call("PUT", "/ips", POLICY.formatted("0.35"));
        JsonNode key = app.call("POST", "/keys", """
                {"name":"Rebalancer","keyType":"live","scopes":["read","validate","propose"],
                 "policy":{"dailyCallCap":200,"dailyUsdCap":50000,"aumCapUsd":30000}}""");
        return new ConsoleHousehold(
                address,
                email,
                session,
                app,
                ConsoleAgent.withKey(address, key.get("key").asString()));
    }

    /** The key of this name, as the app API shows it. */
    JsonNode key(String name) {
        return app.get("/keys")
                .get("keys")
                .valueStream()
                .filter(key -> key.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The id of a field of the form that changes the key of this name. */
    String keyField(String name, String field) {
        return "key-" + key(name).get("agentKeyId").asString() + "-" + field;
    }

    /** Lowers the most that may be in crypto. */
    void capCrypto(String max) {
        app.call("PUT", "/ips", POLICY.formatted(max));
    }

    /** Opens a tab of this person, signed in. */
    Tab tab(Browser browser, int width) {
        return signedIn(browser.open(address, width));
    }

    /** Opens another tab of the same browser, where from now on this person is signed in. */
    Tab tab(Browser browser, int width, String context) {
        return signedIn(browser.open(address, width, context));
    }

    private Tab signedIn(Tab tab) {
        tab.send(
                "Network.setCookie",
                Map.of("name", "policy_session", "value", session, "url", address, "httpOnly", true));
        return tab;
    }
}
