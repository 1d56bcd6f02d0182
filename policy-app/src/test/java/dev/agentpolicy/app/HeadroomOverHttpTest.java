package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Headroom, suggestions and paging back, over HTTP with every database. Every build tries a sixth of the accounts, cases and
 * steps that {@code -Plong} tries.
 */
@OnEveryDatabase
class HeadroomOverHttpTest extends DatabaseTests {
    private static final int ACCOUNTS = 10;
    private static final int CASES = ExperimentSettings.times(34, 200);
    private static final int CASES_ON_OTHERS = ExperimentSettings.times(4, 20);
    private static final int ACCOUNTS_WITH_REQUESTS = ExperimentSettings.times(2, 10);
    private static final int STEPS = ExperimentSettings.times(170, 1_000);
    private static final long SEED = ExperimentSettings.seed(HeadroomOverHttpTest.class);
    private static final BigDecimal CENT = new BigDecimal("0.01");
    private static final BigDecimal LARGEST = new BigDecimal("1000000000000");
    private static final String[] ASSETS = {
        "BTC crypto",
        "XBT-USD crypto",
        "ETH crypto",
        "SPY tradfi",
        "AGG tradfi",
        "DOGE crypto",
        "GROVE tradfi",
        "BTC tradfi"
    };
    private static final String[] SLIPPAGES = {"", "", "0", "0.1", "0.35", "1", "1.01", "100"};
    private static final String[] POLICIES = {
        "{}",
        "{\"aumCapUsd\":1500.55}",
        "{\"dailyUsdCap\":900.01}",
        "{\"allowedAssetTypes\":[\"crypto\"]}",
        "{\"allowedAssets\":[\"SPY\",\"ETH\"],\"aumCapUsd\":0}"
    };

    @Test
    void the_largest_amount_is_allowed_and_one_cent_more_is_blocked_by_the_rule_that_was_named() {
        Random random = new Random(SEED);
        int cases = database == Database.H2 ? CASES : CASES_ON_OTHERS;
        for (int account = 0; account < ACCOUNTS; account++) {
            TestHousehold household = household(random);
            ApiCaller agent = agent(household, POLICIES[account % POLICIES.length]);
            for (int i = 0; i < cases; i++) {
                if (i % 50 == 0) {
                    propose(agent, one(random, "buy", "sell"), one(random, ASSETS), "25.5");
                }
                assertIsLargest(agent, Asked.draw(random), random);
            }
        }
    }

    private static void assertIsLargest(ApiCaller agent, Asked asked, Random random) {
        JsonNode headroom = asked.headroom(agent);
        JsonNode max = headroom.get("maxAllowedUsd");
        JsonNode binding = headroom.get("binding");
        if (max.isNull()) {
            assertThat(headroom.get("intervals")).isEmpty();
            assertBlocked(asked.validate(agent, BigDecimal.ZERO), binding, null);
            return;
        }
        BigDecimal largest = max.decimalValue();
        assertThat(headroom.at("/intervals/0/maxUsd")).isEqualTo(max);
        assertThat(headroom.at("/intervals/0/minUsd").decimalValue()).isZero();
        JsonNode allowed = asked.validate(agent, largest);
        assertThat(allowed.get("allowed").booleanValue())
                .as("%s %s", asked, largest)
                .isTrue();
        assertThat(allowed.has("suggestion")).isFalse();
        assertThat(headroom.get("snapshot")).isEqualTo(allowed.get("snapshot"));
        assertThat(headroom.get("ipsVersion")).isEqualTo(allowed.get("ipsVersion"));
        if (largest.compareTo(LARGEST) < 0) {
            assertBlocked(asked.validate(agent, largest.add(CENT)), binding, largest);
            BigDecimal some = largest.add(BigDecimal.valueOf(random.nextInt(1_000_000) - 500_000, 2))
                    .max(BigDecimal.ZERO);
            assertThat(asked.validate(agent, some).get("allowed").booleanValue())
                    .isEqualTo(some.compareTo(largest) <= 0);
        } else {
            assertThat(binding.isNull()).isTrue();
        }
    }

    private static void assertBlocked(JsonNode decision, JsonNode binding, BigDecimal suggested) {
        assertThat(decision.get("allowed").booleanValue()).isFalse();
        JsonNode first = decision.at("/violations/0");
        assertThat(first.get("rule")).isEqualTo(binding.get("rule"));
        assertThat(first.get("message")).isEqualTo(binding.get("message"));
        assertThat(first.path("limit").decimalValue())
                .isEqualTo(binding.get("limit").decimalValue());
        if (suggested == null) {
            assertThat(decision.has("suggestion")).isFalse();
        } else {
            assertThat(decision.at("/suggestion/maxAllowedUsd").decimalValue()).isEqualByComparingTo(suggested);
        }
    }

    @Test
    void batches_and_proposals_carry_the_suggestion_too() {
        ApiCaller agent = TestHousehold.withPolicy(node.caller()).agent();
        String tooMuch = TestHousehold.trade("buy", "SPY", "tradfi", "6000");

        JsonNode batch = agent.post(API + "policy/validate-batch", "{\"trades\":[" + tooMuch + ",{}]}")
                .ok()
                .json();
        JsonNode proposed = agent.post(API + "trades/propose", tooMuch).ok().json();

        assertThat(batch.at("/results/0/decision/suggestion/maxAllowedUsd").intValue())
                .isEqualTo(5000);
        assertThat(batch.at("/results/1/decision").has("suggestion")).isFalse();
        assertThat(proposed.at("/decision/suggestion/maxAllowedUsd").intValue()).isEqualTo(5000);
        assertThat(agent.get(API + "policy/events?limit=500").ok().text()).doesNotContain("suggestion");
    }

    @Test
    void once_all_pending_requests_are_accepted_every_headroom_is_what_it_was_said_to_be() {
        Random random = new Random(SEED);
        for (int account = 0; account < ACCOUNTS_WITH_REQUESTS; account++) {
            TestHousehold household = household(random);
            ApiCaller agent = agent(household, POLICIES[account % 3]);
            ApiCaller other = household.agent();
            List<Long> queued = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                JsonNode proposed = propose(
                        random.nextBoolean() ? agent : other,
                        one(random, "buy", "sell"),
                        one(random, ASSETS),
                        Integer.toString(1 + random.nextInt(30)));
                if (proposed.get("proposed").booleanValue()) {
                    queued.add(proposed.get("serviceRequestId").longValue());
                }
            }
            Map<String, JsonNode> promised = headrooms(agent, true);
            assertThat(queued).isNotEmpty();

            for (long id : queued) {
                Seen accepted = household
                        .user()
                        .post(APP + "requests/" + id + "/accept", "")
                        .ok();
                assertThat(accepted.json().get("status").textValue()).isEqualTo("completed");
            }

            Map<String, JsonNode> now = headrooms(agent, false);
            assertThat(now).containsAllEntriesOf(promised);
        }
    }

    /** The largest amount and what binds, by asset, action and slippage: as promised, or as it is now. */
    private static Map<String, JsonNode> headrooms(ApiCaller agent, boolean ifPendingAccepted) {
        Map<String, JsonNode> found = new TreeMap<>();
        for (JsonNode each : agent.get(API + "policy/headroom").ok().json().get("assets")) {
            put(found, each, "listed", ifPendingAccepted);
        }
        for (String asset : ASSETS) {
            for (String action : List.of("buy", "sell")) {
                for (String slippage : SLIPPAGES) {
                    JsonNode each = new Asked(action, asset, slippage).headroom(agent);
                    put(found, each, "at " + slippage, ifPendingAccepted);
                }
            }
        }
        return found;
    }

    private static void put(Map<String, JsonNode> found, JsonNode each, String how, boolean ifPendingAccepted) {
        JsonNode which = ifPendingAccepted ? each.get("ifPendingAccepted") : each;
        String name = each.get("action") + " " + each.get("assetSymbol") + " " + each.get("assetType") + " " + how;
        found.put(name + " max", which.get("maxAllowedUsd"));
        found.put(name + " binding", which.get("binding"));
    }

    @Test
    void an_agent_that_proposes_what_its_headroom_allows_is_never_blocked() {
        Random random = new Random(SEED);
        TestHousehold household = household(random);
        ApiCaller agent = household.agent();
        int proposals = 0;
        for (int step = 0; step < STEPS; step++) {
            Asked asked = Asked.draw(random);
            JsonNode max = asked.headroom(agent).get("maxAllowedUsd");
            if (max.isNull() || max.decimalValue().signum() == 0) {
                continue;
            }
            BigDecimal amount = random.nextBoolean()
                    ? max.decimalValue()
                    : max.decimalValue()
                            .multiply(BigDecimal.valueOf(random.nextInt(1_000), 4))
                            .setScale(2, RoundingMode.DOWN);
            JsonNode proposed =
                    agent.post(API + "trades/propose", asked.trade(amount)).ok().json();
            assertThat(proposed.get("proposed").booleanValue())
                    .as(proposed.toString())
                    .isTrue();
            proposals++;
            String request =
                    APP + "requests/" + proposed.get("serviceRequestId").longValue();
            household.user().post(request + (random.nextInt(3) == 0 ? "/accept" : "/reject"), "{}");
        }
        assertThat(proposals).isGreaterThan(STEPS / 5);
    }

    @Test
    void the_audit_feed_is_paged_back_by_agents_users_and_test_keys() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent();
        ApiCaller test = household.agent(household.mint("test"));
        for (ApiCaller each : List.of(agent, test)) {
            for (int i = 0; i < 11; i++) {
                String amount = i % 3 == 0 ? "60000" : "10";
                each.post(API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", amount))
                        .ok();
            }
        }

        for (String filter : List.of("", "&allowed=true", "&allowed=false", "&since=2026-01-01T00:00:00Z")) {
            assertPagesBack(agent, API + "audit", filter);
            assertPagesBack(household.user(), APP + "audit", filter);
            assertPagesBack(test, API + "audit", filter);
        }
        for (String wrong : List.of("0", "-1", "1.5", "x", "", "9999999999999999999")) {
            assertThat(agent.get(API + "audit?before=" + wrong).status()).isEqualTo(400);
            assertThat(household.user().get(APP + "audit?before=" + wrong).status())
                    .isEqualTo(400);
        }
    }

    private static void assertPagesBack(ApiCaller caller, String path, String filter) {
        List<JsonNode> pages = new ArrayList<>();
        String before = "";
        JsonNode page = caller.get(path + "?limit=2" + filter).ok().json();
        while (!page.isEmpty()) {
            page.forEach(pages::add);
            before = "&before=" + page.get(page.size() - 1).get("eventSeq");
            page = caller.get(path + "?limit=2" + filter + before).ok().json();
        }
        List<JsonNode> whole = new ArrayList<>();
        caller.get(path + "?limit=100" + filter).ok().json().forEach(whole::add);
        assertThat(pages).isEqualTo(whole).hasSizeGreaterThan(3);
    }

    /** What an agent asks about: an action, an asset with its sleeve, and a slippage or none. */
    private record Asked(String action, String asset, String slippage) {

        static Asked draw(Random random) {
            return new Asked(one(random, "buy", "sell"), one(random, ASSETS), one(random, SLIPPAGES));
        }

        JsonNode headroom(ApiCaller agent) {
            return agent.post(API + "policy/headroom", body("")).ok().json();
        }

        JsonNode validate(ApiCaller agent, BigDecimal amount) {
            return agent.post(API + "policy/validate", trade(amount)).ok().json();
        }

        String trade(BigDecimal amount) {
            return body(",\"amountUsd\":" + amount.toPlainString());
        }

        private String body(String more) {
            String[] parts = asset.split(" ");
            return "{\"action\":\"" + action + "\",\"assetSymbol\":\"" + parts[0] + "\",\"assetType\":\"" + parts[1]
                    + "\"" + (slippage.isEmpty() ? "" : ",\"expectedSlippagePct\":" + slippage) + more + "}";
        }
    }

    private static JsonNode propose(ApiCaller agent, String action, String asset, String amount) {
        return agent.post(API + "trades/propose", new Asked(action, asset, "").trade(new BigDecimal(amount)))
                .ok()
                .json();
    }

    private static ApiCaller agent(TestHousehold household, String policy) {
        return household.agent(household.mint("live", "\"read\",\"validate\",\"propose\"", policy));
    }

    /** A user with a statement and holdings of their own. Prices are powers of ten, so that fills leave no rest. */
    private TestHousehold household(Random random) {
        TestHousehold household = TestHousehold.signUp(node.caller());
        String crypto = one(random, "\"min\":0.1,\"target\":0.2,\"max\":0.35", "\"min\":0,\"target\":0.5,\"max\":0.75");
        String rules = one(
                random,
                "[]",
                "[{\"id\":\"large\",\"effect\":\"require_approval\",\"when\":{\"amountUsdAbove\":750.255}},"
                        + "{\"id\":\"no-doge\",\"effect\":\"block\",\"when\":{\"symbols\":[\"DOGE\"]}}]");
        household
                .user()
                .put(
                        APP + "ips",
                        "{\"crypto\":{" + crypto
                                + "},\"tradfi\":{\"min\":0.2,\"target\":0.5,\"max\":0.8},\"cashFloor\":0."
                                + "0" + random.nextInt(10) + ",\"maxDrawdown\":0." + (1 + random.nextInt(9))
                                + ",\"maxSlippage\":0.01,\"assetAuthority\":{\"assets\":{\"AGG\":\"protect\"}},"
                                + "\"standingRules\":" + rules + "}")
                .ok();
        household
                .user()
                .put(APP + "custodians/paper", """
                        {"name":"Paper","kind":"paper","cash":%d.5,"positions":[
                          {"symbol":"BTC","assetType":"crypto","quantity":%d,"price":10000},
                          {"symbol":"SPY","assetType":"tradfi","quantity":%d,"price":100},
                          {"symbol":"AGG","assetType":"tradfi","quantity":%d,"price":10}],
                         "prices":{"ETH":1000,"DOGE":1,"GROVE":1}}""".formatted(
                                10_000 + random.nextInt(20_000),
                                1 + random.nextInt(3),
                                400 + random.nextInt(200),
                                200 + random.nextInt(500)))
                .ok();
        return household;
    }

    private static String one(Random random, String... among) {
        return among[random.nextInt(among.length)];
    }
}
