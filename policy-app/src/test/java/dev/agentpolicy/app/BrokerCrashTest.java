package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.alpaca.AlpacaStandIn;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The service is killed (SIGKILL) again and again while requests are accepted and executed at a broker that loses and
 * repeats answers. Then every accepted request has exactly one order, every fill is in the chain once, and the holdings
 * are those of the broker. On each database 4 times, with {@code -Plong} 200 times, or {@code -Dkills=}.
 */
class BrokerCrashTest {
    private static final int KILLS = ExperimentSettings.times("kills", 4, 200);
    private static final int PERCENT_OF_FAULTS = 8;
    private static final int MAX_MILLIS = 6_000;
    private static final int PEOPLE = 6;
    private static final int PAGE = 100;
    /** Longer than the time after which an order that never arrived is believed to be lost. */
    private static final Duration MAX_SETTLING = Duration.ofMinutes(4);

    private static final int PAUSE_MILLIS = 200;
    private static final Pattern ORDER = Pattern.compile("request-([0-9]+)-([0-9]+)-[0-9a-z]+");

    private final long seed = ExperimentSettings.seed(BrokerCrashTest.class);
    private final Random random = new Random(seed);
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void a_killed_service_orders_each_accepted_request_once_and_records_every_fill_once(Database database)
            throws Exception {
        try (AlpacaStandIn broker = AlpacaStandIn.start()) {
            broker.market().share("SPY", "500").coin("BTC/USD", "60000");
            StandInAccount account = broker.account("crash", "1000000").hold("SPY", "400");
            String url = database.fresh(folder);
            TestHousehold household;
            ApiCaller agent;
            try (ServiceNode node = ServiceNode.start(folder, url, settings(broker))) {
                household = TestHousehold.signUp(node.caller());
                household.user().put(APP + "ips", statement()).ok();
                household
                        .user()
                        .post(APP + "custodians/broker/connect", credentials(account))
                        .ok();
                agent = household.agent();
            }
            broker.faults().atRandom(seed, PERCENT_OF_FAULTS);
            for (int kill = 0; kill < KILLS; kill++) {
                killWhileOrdersAreUnderWay(broker, account, url, household, agent);
            }
            broker.faults().stop();
            try (ServiceNode node = ServiceNode.start(folder, url, settings(broker))) {
                String address = node.caller().address();
                hold(account, household.user().at(address), agent.at(address));
            }
        }
    }

    private void killWhileOrdersAreUnderWay(
            AlpacaStandIn broker, StandInAccount account, String url, TestHousehold household, ApiCaller agent)
            throws Exception {
        try (ServiceProcess process =
                ServiceProcess.start(folder, ServiceNode.environment(folder, url, settings(broker)))) {
            String address = process.address();
            AtomicBoolean isOver = new AtomicBoolean();
            List<Thread> people = new ArrayList<>();
            for (int i = 0; i < PEOPLE; i++) {
                Random own = new Random(random.nextLong());
                people.add(person(() -> live(own, account, household.user().at(address), agent.at(address)), isOver));
            }
            Thread.sleep(random.nextInt(MAX_MILLIS));
            while (accepted.get() == 0 && process.isAlive()) {
                // A busy machine took so long to start.
                Thread.sleep(PAUSE_MILLIS);
            }
            process.kill();
            process.exitCode();
            isOver.set(true);
            for (Thread person : people) {
                person.join();
            }
        }
    }

    private static Thread person(Runnable step, AtomicBoolean isOver) {
        Thread thread = new Thread(() -> {
            while (!isOver.get()) {
                try {
                    step.run();
                } catch (RuntimeException | AssertionError killed) {
                    // The service is gone; what was acknowledged is checked at the end.
                    isOver.set(true);
                }
            }
        });
        thread.start();
        return thread;
    }

    /** Proposes a trade and accepts it; sometimes takes the order back, or trades at the broker. */
    private void live(Random own, StandInAccount account, ApiCaller user, ApiCaller agent) {
        boolean isBuy = own.nextInt(3) > 0;
        String trade = own.nextBoolean()
                ? TestHousehold.trade(isBuy ? "buy" : "sell", "SPY", "tradfi", amount(own))
                : TestHousehold.trade("buy", "BTC", "crypto", amount(own));
        JsonNode proposed = agent.with("Idempotency-Key", "once-" + numbers.incrementAndGet())
                .post(API + "trades/propose", trade)
                .json();
        if (own.nextInt(10) == 0) {
            account.tradeByHand("SPY", true, "1");
        }
        if (!proposed.path("proposed").asBoolean(false)) {
            return;
        }
        String request = APP + "requests/" + proposed.get("serviceRequestId").longValue();
        user.post(request + "/accept", "{}");
        accepted.incrementAndGet();
        if (own.nextInt(4) == 0) {
            user.post(request + "/cancel", "{}");
        }
    }

    private static String amount(Random own) {
        return BigDecimal.valueOf(own.nextInt(50_000) + 1_000, 2).toPlainString();
    }

    private void hold(StandInAccount account, ApiCaller user, ApiCaller agent) throws InterruptedException {
        untilNothingIsUnderWay(user);
        List<JsonNode> requests = requests(user);
        assertThat(requests).isNotEmpty();
        eachAcceptedRequestHasOneOrder(account, requests);
        everyFillIsInTheChainOnce(account, agent);
        theHoldingsAreThoseOfTheBroker(account, user);
        assertThat(new IncrementalLog(folder.resolve("verified.json")).verifyWhole(agent))
                .contains("recomputed");
        System.out.printf(
                "%d kills, seed %d: %d requests, %d orders, %d fills%n",
                KILLS,
                seed,
                requests.size(),
                account.clientOrderIds().size(),
                account.fillIds().size());
    }

    private static void untilNothingIsUnderWay(ApiCaller user) throws InterruptedException {
        long end = System.nanoTime() + MAX_SETTLING.toNanos();
        List<JsonNode> underWay = requests(user);
        while (!underWay.isEmpty()) {
            assertThat(System.nanoTime()).describedAs("under way: %s", underWay).isLessThan(end);
            user.post(APP + "custodians/broker/sync", "{}").ok();
            underWay = requests(user).stream()
                    .filter(request -> "in_progress"
                            .equals(request.path("execution").path("status").textValue()))
                    .toList();
            Thread.sleep(PAUSE_MILLIS);
        }
        user.post(APP + "custodians/broker/sync", "{}").ok();
    }

    private static void eachAcceptedRequestHasOneOrder(StandInAccount account, List<JsonNode> requests) {
        Map<Long, List<String>> orders = new HashMap<>();
        for (String id : account.clientOrderIds()) {
            Matcher ours = ORDER.matcher(id);
            if (ours.matches()) {
                orders.computeIfAbsent(Long.parseLong(ours.group(1)), any -> new ArrayList<>())
                        .add(id);
            }
        }
        Map<Long, JsonNode> byId = requests.stream()
                .collect(Collectors.toMap(request -> request.get("id").longValue(), request -> request));
        orders.forEach((id, ids) -> {
            assertThat(byId).describedAs("requests").containsKey(id);
            assertThat(ids).describedAs("orders of %s", byId.get(id)).doesNotHaveDuplicates();
        });
        byId.forEach((id, request) -> {
            if (request.get("status").textValue().equals("completed")) {
                assertThat(orders.getOrDefault(id, List.of()))
                        .describedAs("orders of %s", request)
                        .hasSize(1);
            }
        });
    }

    private static void everyFillIsInTheChainOnce(StandInAccount account, ApiCaller agent) {
        List<String> observed = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            JsonNode page = agent.get(API + "policy/events?limit=500&eventType=broker.trade_observed" + cursor)
                    .ok()
                    .json();
            page.get("events")
                    .forEach(row ->
                            observed.add(row.get("payload").get("externalId").textValue()));
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? null : "&cursor=" + URLEncoder.encode(next.textValue(), StandardCharsets.UTF_8);
        }
        assertThat(observed).containsExactlyInAnyOrderElementsOf(account.fillIds());
    }

    private static void theHoldingsAreThoseOfTheBroker(StandInAccount account, ApiCaller user) {
        JsonNode custodian =
                user.get(APP + "portfolio").ok().json().get("custodians").get(0);
        assertThat(new BigDecimal(custodian.get("cash").textValue())).isEqualByComparingTo(account.cash());
        Map<String, BigDecimal> held = new HashMap<>();
        custodian
                .get("positions")
                .forEach(position -> held.put(
                        position.get("symbol").textValue(),
                        new BigDecimal(position.get("quantity").textValue())));
        assertThat(held.getOrDefault("SPY", BigDecimal.ZERO)).isEqualByComparingTo(account.units("SPY"));
        assertThat(held.getOrDefault("BTC", BigDecimal.ZERO)).isEqualByComparingTo(account.units("BTC/USD"));
    }

    private static List<JsonNode> requests(ApiCaller user) {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            JsonNode page =
                    user.get(APP + "requests?limit=" + PAGE + cursor).ok().json();
            page.get("requests").forEach(all::add);
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? null : "&cursor=" + URLEncoder.encode(next.asText(), StandardCharsets.UTF_8);
        }
        return all;
    }

    private static Map<String, String> settings(AlpacaStandIn broker) {
        return Map.of(
                "POLICY_ALPACA_PAPER_URL",
                broker.address(),
                "POLICY_ALPACA_DATA_URL",
                broker.address(),
                "POLICY_CUSTODIAN_SYNC_SECONDS",
                "1");
    }

    private static String credentials(StandInAccount account) {
        return "{\"kind\":\"alpaca\",\"name\":\"Alpaca\",\"environment\":\"paper\",\"keyId\":\"" + account.keyId()
                + "\",\"secretKey\":\"" + account.secretKey() + "\"}";
    }

    private static String statement() {
        return "{\"crypto\":{\"min\":0,\"target\":0.2,\"max\":0.9},\"tradfi\":{\"min\":0,\"target\":0.6,\"max\":0.95},"
                + "\"cashFloor\":0.01,\"maxDrawdown\":0.9,\"maxSlippage\":0.05,\"allowedActions\":[\"buy\",\"sell\"],"
                + "\"assetAuthority\":{\"default\":\"full\",\"assets\":{}},\"standingRules\":[]}";
    }
}
