package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.alpaca.AlpacaStandIn;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.alpaca.StandInMarket.Execution;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URLEncoder;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
 * repeats answers and whose prices move all the time: in turn while it asks for a price, places an order, looks for one
 * and reads fills, and at any moment. Then every accepted request has exactly one order, no order is without a bound
 * that was made from a price of its time, no fill is beyond its bound, every fill is in the chain once, and the holdings
 * are those of the broker. On each database 4 times, with {@code -Plong} 200 times, or {@code -Dkills=}.
 */
class BrokerCrashTest {
    private static final int KILLS = ExperimentSettings.times("kills", 4, 200);
    private static final int PERCENT_OF_FAULTS = 8;
    private static final int MAX_MILLIS = 2_000;
    /** How long after the service began a call it is killed, at most: before and after the broker does what it asks. */
    private static final int MAX_MILLIS_IN_A_CALL = 30;

    private static final int MAX_SECONDS_TO_A_CALL = 10;
    /** In a row the moments of a kill; what is at no call is at any moment. */
    private static final List<Moment> MOMENTS = List.of(
            new Moment("GET", "/v2/stocks/quotes/latest"),
            new Moment("POST", "/v2/orders"),
            new Moment("GET", "/v2/account/activities/FILL"),
            new Moment("GET", "/v2/orders:by_client_order_id"),
            new Moment("", ""));

    private static final BigDecimal SLIPPAGE = new BigDecimal("0.01");
    private static final BigDecimal CENT = new BigDecimal("0.01");
    private static final int MOVE_MILLIS = 20;
    /** In percent of the price at the beginning, up and down. */
    private static final int MAX_MOVE = 3;

    private static final int PEOPLE = 6;
    private static final int PAGE = 100;
    /** Longer than the time after which an order that never arrived is believed to be lost. */
    private static final Duration MAX_SETTLING = Duration.ofMinutes(4);

    private static final int PAUSE_MILLIS = 200;
    private static final Pattern ORDER = Pattern.compile("request-([0-9]+)-([0-9]+)-[0-9a-z]+");

    private final long seed = ExperimentSettings.seed(BrokerCrashTest.class);
    private final Random random = new Random(seed);
    private int aimed;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final Map<String, NavigableMap<Instant, BigDecimal>> prices =
            Map.of("SPY", new ConcurrentSkipListMap<>(), "BTC", new ConcurrentSkipListMap<>());

    @TempDir
    Path folder;

    /** A call of the service to the broker. */
    private record Moment(String method, String path) {}

    @ParameterizedTest
    @EnumSource
    void a_killed_service_orders_each_accepted_request_once_and_records_every_fill_once(Database database)
            throws Exception {
        try (AlpacaStandIn broker = AlpacaStandIn.start()) {
            move(broker, BigDecimal.ZERO);
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
                Moment moment = MOMENTS.get(kill % MOMENTS.size());
                killWhileOrdersAreUnderWay(moment, broker, account, url, household, agent);
            }
            broker.faults().stop();
            broker.market().execution(Execution.AT_ONCE);
            try (ServiceNode node = ServiceNode.start(folder, url, settings(broker))) {
                String address = node.caller().address();
                hold(broker, account, household.user().at(address), agent.at(address));
            }
        }
    }

    private void killWhileOrdersAreUnderWay(
            Moment moment,
            AlpacaStandIn broker,
            StandInAccount account,
            String url,
            TestHousehold household,
            ApiCaller agent)
            throws Exception {
        try (ServiceProcess process =
                ServiceProcess.start(folder, ServiceNode.environment(folder, url, settings(broker)))) {
            String address = process.address();
            AtomicBoolean isOver = new AtomicBoolean();
            List<Thread> threads = new ArrayList<>();
            Random moves = new Random(random.nextLong());
            threads.add(thread(() -> moveSometimes(moves, broker), isOver));
            for (int i = 0; i < PEOPLE; i++) {
                Random own = new Random(random.nextLong());
                threads.add(thread(() -> live(own, account, household.user().at(address), agent.at(address)), isOver));
            }
            Thread.sleep(random.nextInt(MAX_MILLIS));
            while (accepted.get() == 0 && process.isAlive()) {
                // A busy machine took so long to start.
                Thread.sleep(PAUSE_MILLIS);
            }
            kill(process, moment, broker);
            isOver.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    /** Kills the service, if it calls so soon, while the broker does what is asked or right before or after that. */
    private void kill(ServiceProcess process, Moment moment, AlpacaStandIn broker) throws InterruptedException {
        if (!moment.path().isEmpty()) {
            CountDownLatch called = new CountDownLatch(1);
            broker.before(moment.method(), moment.path(), called::countDown);
            if (called.await(MAX_SECONDS_TO_A_CALL, TimeUnit.SECONDS)) {
                Thread.sleep(random.nextInt(MAX_MILLIS_IN_A_CALL));
                aimed++;
            }
        }
        process.kill();
        process.exitCode();
    }

    private void moveSometimes(Random own, AlpacaStandIn broker) {
        broker.market().execution(own.nextInt(5) == 0 ? Execution.HALF : Execution.AT_ONCE);
        move(broker, BigDecimal.valueOf(own.nextInt(2 * MAX_MOVE * 100) - MAX_MOVE * 100, 4));
        pause(own.nextInt(2 * MOVE_MILLIS));
    }

    /** Sets both prices, by a part of what they were at the beginning. */
    private void move(AlpacaStandIn broker, BigDecimal part) {
        BigDecimal factor = BigDecimal.ONE.add(part);
        BigDecimal share = factor.multiply(BigDecimal.valueOf(500)).setScale(2, RoundingMode.UNNECESSARY);
        BigDecimal coin = factor.multiply(BigDecimal.valueOf(60_000)).setScale(2, RoundingMode.UNNECESSARY);
        Instant now = Instant.now();
        prices("SPY").put(now, share);
        prices("BTC").put(now, coin);
        broker.market().share("SPY", share.toPlainString()).coin("BTC/USD", coin.toPlainString());
    }

    private NavigableMap<Instant, BigDecimal> prices(String symbol) {
        return Objects.requireNonNull(prices.get(symbol));
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static Thread thread(Runnable step, AtomicBoolean isOver) {
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
        return BigDecimal.valueOf(own.nextInt(10_000) + 1_000, 2).toPlainString();
    }

    private void hold(AlpacaStandIn broker, StandInAccount account, ApiCaller user, ApiCaller agent)
            throws InterruptedException {
        untilNothingIsUnderWay(broker, user);
        List<JsonNode> requests = requests(user);
        assertThat(requests).isNotEmpty();
        eachAcceptedRequestHasOneOrder(account, requests);
        int fills = noFillIsBeyondTheBoundOfItsOrder(account, user);
        everyFillIsInTheChainOnce(account, agent);
        theHoldingsAreThoseOfTheBroker(account, user);
        assertThat(new IncrementalLog(folder.resolve("verified.json")).verifyWhole(agent))
                .contains("recomputed");
        System.out.printf(
                "%d kills, %d of them at a call, seed %d: %d requests, %d orders, %d fills, %d of them bounded, %d prices%n",
                KILLS,
                aimed,
                seed,
                requests.size(),
                account.clientOrderIds().size(),
                account.fillIds().size(),
                fills,
                prices("SPY").size());
    }

    /** The price goes up and down meanwhile, so that every open order meets its bound. */
    private void untilNothingIsUnderWay(AlpacaStandIn broker, ApiCaller user) throws InterruptedException {
        long end = System.nanoTime() + MAX_SETTLING.toNanos();
        List<JsonNode> underWay = requests(user);
        while (!underWay.isEmpty()) {
            assertThat(System.nanoTime()).describedAs("under way: %s", underWay).isLessThan(end);
            for (int direction : List.of(-1, 1)) {
                move(broker, BigDecimal.valueOf(direction * (MAX_MOVE + 2L), 2));
            }
            sync(user);
            underWay = requests(user).stream()
                    .filter(request -> "in_progress"
                            .equals(request.path("execution").path("status").textValue()))
                    .toList();
            Thread.sleep(PAUSE_MILLIS);
        }
        user.post(APP + "custodians/broker/sync", "{}").ok();
    }

    /** While hundreds of orders are placed, each changes the account, and a sync may find no moment in the time of a call. */
    private static void sync(ApiCaller user) {
        try {
            user.post(APP + "custodians/broker/sync", "{}");
        } catch (UncheckedIOException late) {
            assertThat(late).hasCauseInstanceOf(HttpTimeoutException.class);
        }
    }

    /** Compares what the service says with what the broker has, and with the prices of then. Returns the number of fills. */
    private int noFillIsBeyondTheBoundOfItsOrder(StandInAccount account, ApiCaller user) {
        int fills = 0;
        for (JsonNode request : pages(user, APP + "reconciliation?limit=" + PAGE, "requests")) {
            if (request.get("clientOrderId").isNull()) {
                continue;
            }
            if (!request.hasNonNull("referencePrice")) {
                // It ended before a price was known for it, so nothing may have been ordered.
                assertThat(account.clientOrderIds())
                        .doesNotContain(request.get("clientOrderId").textValue());
                assertThat(request.get("fills")).isEmpty();
                continue;
            }
            boolean isBuy = request.get("trade").get("action").textValue().equals("buy");
            BigDecimal reference = decimal(request, "referencePrice");
            BigDecimal bound = decimal(request, "limitPrice");
            BigDecimal exact =
                    reference.multiply(isBuy ? BigDecimal.ONE.add(SLIPPAGE) : BigDecimal.ONE.subtract(SLIPPAGE));
            assertThat(isBuy ? exact.subtract(bound) : bound.subtract(exact))
                    .describedAs("bound of %s", request)
                    .isBetween(BigDecimal.ZERO, CENT);
            Instant at = Instant.parse(request.get("referenceAt").textValue());
            assertThat(pricesAround(request.get("trade").get("assetSymbol").textValue(), at))
                    .describedAs("reference of %s", request)
                    .usingComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                    .contains(reference);
            if (account.clientOrderIds().contains(request.get("clientOrderId").textValue())) {
                JsonNode order = account.orderByClientOrderIdAsJson(
                        request.get("clientOrderId").textValue());
                assertThat(decimal(order, "limit_price"))
                        .describedAs("%s", request)
                        .isEqualByComparingTo(bound);
                assertThat(decimal(order, "qty").multiply(isBuy ? bound : reference))
                        .describedAs("%s", order)
                        .isLessThanOrEqualTo(decimal(request, "allowedUsd"));
                assertThat(decimal(order, "filled_qty")).isLessThanOrEqualTo(decimal(order, "qty"));
            }
            for (JsonNode fill : request.get("fills")) {
                fills++;
                BigDecimal price = decimal(fill, "price");
                assertThat(isBuy ? price.subtract(bound) : bound.subtract(price))
                        .describedAs("%s", request)
                        .isLessThanOrEqualTo(BigDecimal.ZERO);
            }
        }
        return fills;
    }

    /** The prices within a second of a time, and the one before. */
    private List<BigDecimal> pricesAround(String symbol, Instant at) {
        NavigableMap<Instant, BigDecimal> all = prices(symbol);
        Instant from = all.floorKey(at.minusSeconds(1));
        return List.copyOf(all.subMap(from == null ? all.firstKey() : from, true, at.plusSeconds(1), true)
                .values());
    }

    private static BigDecimal decimal(JsonNode node, String member) {
        return new BigDecimal(node.path(member).asText());
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
        for (JsonNode row : pages(agent, API + "policy/events?limit=500&eventType=broker.trade_observed", "events")) {
            JsonNode payload = row.get("payload");
            observed.add(payload.get("externalId").textValue());
            if (!payload.get("serviceRequestId").isNull()) {
                BigDecimal worse = decimal(payload, "price").subtract(decimal(payload, "limitPrice"));
                assertThat(payload.get("action").textValue().equals("buy") ? worse : worse.negate())
                        .describedAs("%s", payload)
                        .isLessThanOrEqualTo(BigDecimal.ZERO);
            }
        }
        assertThat(observed).containsExactlyInAnyOrderElementsOf(account.fillIds());
    }

    private static void theHoldingsAreThoseOfTheBroker(StandInAccount account, ApiCaller user) {
        JsonNode custodian =
                user.get(APP + "portfolio").ok().json().get("custodians").get(0);
        assertThat(decimal(custodian, "cash")).isCloseTo(account.cash(), within(new BigDecimal("0.00000001")));
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
        return pages(user, APP + "requests?limit=" + PAGE, "requests");
    }

    private static List<JsonNode> pages(ApiCaller caller, String path, String member) {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            JsonNode page = caller.get(path + cursor).ok().json();
            page.get(member).forEach(all::add);
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
                + "\"cashFloor\":0.01,\"maxDrawdown\":0.9,\"maxSlippage\":0.01,\"allowedActions\":[\"buy\",\"sell\"],"
                + "\"assetAuthority\":{\"default\":\"full\",\"assets\":{}},\"standingRules\":[]}";
    }
}
