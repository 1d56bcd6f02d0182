package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.IMPATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.PATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.SPY;
import static dev.agentpolicy.adapter.custodian.Broker.answer;
import static dev.agentpolicy.adapter.custodian.Broker.away;
import static dev.agentpolicy.adapter.custodian.Broker.declined;
import static dev.agentpolicy.adapter.custodian.Broker.order;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaAccount;
import dev.agentpolicy.adapter.custodian.AlpacaClient.FillBatch;
import dev.agentpolicy.alpaca.Fault;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.trade.Action;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of calls to a broker that fails. */
class AlpacaFaultsTest {
    private static final String BY_CLIENT_ORDER_ID = "/v2/orders:by_client_order_id";
    private static final String KEY_ID = "PKNOBODY";
    private static final String SECRET_KEY = "never-to-be-seen";

    /** For calls that all fail, so that no wait is too short. */
    private static final RetryPolicy HASTY =
            new RetryPolicy(3, Duration.ofMillis(100), Duration.ofMillis(1), Duration.ofMillis(20));

    /** Of one read: the HTTP client itself repeats a GET up to five times when its connection ends. */
    private static final int MAX_CALLS = 5 * HASTY.maxAttempts();

    private final Broker broker = new Broker();
    private final StandInAccount account = broker.standIn.account("one", "10000");
    private final AlpacaClient client = broker.client(account, IMPATIENT);
    private final AlpacaClient hasty = broker.client(account, HASTY);

    /** Answers in place of the stand-in; null while no test asked for it. */
    private @Nullable HttpServer server;

    @AfterEach
    void close() {
        broker.close();
        if (server != null) {}
    }

    /** A client of a server that answers every call so. */
    private AlpacaClient answering(HttpHandler handler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", handler);
        server.start();
        return stranger("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void a_read_that_fails_is_repeated(Fault fault) {
        broker.standIn.faults().next("GET", "/v2/account", fault);

        assertThat(answer(() -> client.account()).cash()).isEqualByComparingTo("10000");
        assertThat(broker.standIn.faults().count()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void a_broker_that_keeps_failing_is_away(Fault fault) {
        broker.standIn.faults().next("GET", "/v2/account", repeated(fault, MAX_CALLS));

        String reason = away(hasty::account);

        assertThat(reason).contains("Alpaca").doesNotContain(account.keyId(), account.secretKey());
        assertThat(broker.standIn.calls()).hasSizeBetween(1, MAX_CALLS);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void an_order_whose_sending_fails_exists_once(Fault fault) {
        broker.standIn.faults().next("POST", "/v2/orders", fault);

        AlpacaOrder placed = answer(() -> client.place(order("doubtful", SPY, Action.BUY, "100")));

        assertThat(placed.clientOrderId()).isEqualTo("doubtful");
        assertThat(account.clientOrderIds()).containsExactly("doubtful");
        assertThat(account.cash()).isEqualByComparingTo("9900");
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void an_order_whose_asking_fails_exists_once(Fault fault) {
        broker.standIn.faults().next("GET", BY_CLIENT_ORDER_ID, fault, fault);
        broker.standIn.faults().next("POST", "/v2/orders", Fault.LOST_ANSWER);

        answer(() -> client.place(order("doubtful", SPY, Action.BUY, "100")));

        assertThat(account.clientOrderIds()).containsExactly("doubtful");
        assertThat(Collections.frequency(broker.standIn.calls(), "POST /v2/orders"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void an_order_that_cannot_be_sent_is_away_and_exists_at_most_once(Fault fault) throws Declined {
        broker.standIn.faults().next("POST", "/v2/orders", repeated(fault, HASTY.maxAttempts()));

        try {
            hasty.place(order("doubtful", SPY, Action.BUY, "100"));
        } catch (CustodianFailure away) {
            assertThat(away.isRefusal()).isFalse();
        }
        broker.standIn.faults().stop();
        answer(() -> client.place(order("doubtful", SPY, Action.BUY, "100")));

        assertThat(account.clientOrderIds()).containsExactly("doubtful");
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void an_order_that_is_asked_for_by_a_broken_broker_is_not_sent(Fault fault) {
        broker.standIn.faults().next("GET", BY_CLIENT_ORDER_ID, repeated(fault, MAX_CALLS));

        away(() -> hasty.place(order("unsent", SPY, Action.BUY, "100")));

        assertThat(account.clientOrderIds()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void a_cancel_that_fails_is_repeated(Fault fault) {
        broker.standIn.closeMarket();
        AlpacaOrder placed = answer(() -> client.place(order("waiting", SPY, Action.BUY, "100")));
        broker.standIn.faults().next("DELETE", "/v2/orders/", fault);

        assertThat(answer(() -> client.cancel(placed.id())).state()).isEqualTo(new OrderState.Cancelled());
    }

    @Test
    void a_refusal_after_a_doubt_is_not_believed_yet() {
        broker.standIn.faults().next("POST", "/v2/orders", Fault.DROPPED);
        NewOrder dear = order("dear", SPY, Action.BUY, "20000");

        assertThat(away(() -> client.place(dear)))
                .isEqualTo("It is not known yet whether Alpaca has the order: insufficient buying power");
        assertThat(declined(() -> client.place(dear))).isEqualTo("403 insufficient buying power");
    }

    @Test
    void an_order_that_spent_the_cash_is_found_although_its_copy_is_refused() {
        broker.standIn.faults().next("POST", "/v2/orders", Fault.LOST_ANSWER);
        NewOrder all = order("all", SPY, Action.BUY, "10000");

        assertThat(answer(() -> client.place(all)).clientOrderId()).isEqualTo("all");
        assertThat(account.cash()).isEqualByComparingTo("0");
    }

    @Test
    void a_rate_limit_that_lasts_longer_than_a_pause_is_not_waited_for() {
        account.limitCallsPerMinute(1);
        RetryPolicy policy = new RetryPolicy(4, PATIENT.timeout(), Duration.ofMillis(1), Duration.ofMillis(2));
        AlpacaClient limited = broker.client(account, policy);
        answer(() -> limited.account());

        assertThat(away(() -> limited.account()))
                .isEqualTo("Alpaca answers no more calls of this account for now (429).");
        assertThat(broker.standIn.calls()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {-90, 90})
    void a_clock_that_differs_by_minutes_changes_nothing(long minutes) {
        broker.standIn.market().skew(Duration.ofMinutes(minutes));

        answer(() -> client.place(order("skewed", SPY, Action.BUY, "100")));
        FillBatch batch = answer(() -> client.fills(Instant.EPOCH));

        assertThat(batch.fills()).hasSize(1);
        Instant last = batch.fills().get(0).at();
        assertThat(answer(() -> client.fills(last)).fills()).isEmpty();
    }

    @Test
    void a_broker_that_cannot_be_reached_is_away() throws IOException {
        int closedPort;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = socket.getLocalPort();
        }

        assertThat(away(() -> stranger("http://127.0.0.1:" + closedPort).account()))
                .isEqualTo("The connection to Alpaca failed.");
    }

    @Test
    void a_redirect_is_not_followed() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        AlpacaClient stranger = answering(exchange -> {
            calls.incrementAndGet();
            exchange.getResponseHeaders().set("Location", broker.standIn.address() + "/v2/account");
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });

        String reason = away(stranger::account);

        assertThat(reason).isEqualTo("The address of Alpaca answers with a redirect (307), which is not followed.");
        assertThat(calls).hasValue(1);
        assertThat(broker.standIn.calls()).isEmpty();
    }

    @Test
    void credentials_are_sent_in_two_headers_and_nowhere_else() throws IOException {
        List<String> sent = new CopyOnWriteArrayList<>();
        AlpacaClient stranger = answering(exchange -> {
            sent.add(exchange.getRequestURI().toString());
            sent.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getRequestHeaders().forEach((name, values) -> sent.add(name + ": " + values));
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });

        away(stranger::account);

        assertThat(sent.stream()
                        .filter(each -> each.contains(KEY_ID) || each.contains(SECRET_KEY))
                        .distinct())
                .containsExactlyInAnyOrder(
                        "Apca-api-key-id: [" + KEY_ID + "]", "Apca-api-secret-key: [" + SECRET_KEY + "]");
    }

    @Test
    void an_answer_without_end_is_not_read_to_the_end() throws IOException {
        AlpacaClient stranger = answering(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] spaces = " ".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(spaces);
                }
            }
        });

        String reason = away(stranger::account);

        assertThat(reason).isEqualTo("The connection to Alpaca failed.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"id\": 1}",
                "\u0000",
                "[[[[",
                "{\"id\": \"a\", \"status\": \"ACTIVE\"",
                "{\"id\":\"a\",\"status\":\"ACTIVE\",\"currency\":\"USD\",\"cash\":\"1e999999999\",\"equity\":\"1\","
                        + "\"trading_blocked\":false,\"account_blocked\":false,\"trade_suspended_by_user\":false}",
                "{\"id\":\"a\",\"status\":\"ACTIVE\",\"currency\":\"USD\",\"cash\":\"NaN\",\"equity\":\"1\","
                        + "\"trading_blocked\":false,\"account_blocked\":false,\"trade_suspended_by_user\":false}"
            })
    void an_answer_that_is_no_account_is_never_taken_for_one(String body) throws IOException {
        String reason = away(answering(200, body)::account);

        assertThat(reason).startsWith("Alpaca's answer cannot be read: ");
    }

    @Test
    void a_refusal_is_short_and_contains_no_credential() throws IOException {
        String message = "key " + KEY_ID + " with " + SECRET_KEY + "\\n is unknown. " + "x".repeat(1_000);

        String words = declined(answering(403, "{\"message\":\"" + message + "\"}")::account);

        assertThat(words)
                .startsWith("403 key [hidden] with [hidden]  is unknown.")
                .hasSize(4 + 300);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no such key: NEVER-TO-BE-SEEN",
                "no such key: never_to_be_seen",
                "no such key: never%2Dto%2Dbe%2Dseen",
                "no such key: never%252Dto%252Dbe%252Dseen",
                "no such key: n e v e r - t o - b e - s e e n",
                "no such key: never-to-be...",
                "no such key: &#110;ever&#x2d;to&#45;be-seen",
                "no such key: nees-eb-ot-reven",
                "no such key: bmV2ZXItdG8tYmUtc2Vlbg==",
                "no such key: UEtOT0JPRFk6bmV2ZXItdG8tYmUtc2Vlbg",
                "no such key: OmV2ZXItdG8tYmUtc2Vlbg",
                "no such key: 6e657665722d746f2d62652d7365656e",
                "no such key: pknobody"
            })
    void a_refusal_with_another_form_of_a_credential_is_not_shown(String message) throws IOException {
        assertThat(declined(answering(403, "{\"message\":\"" + message + "\"}")::account))
                .isEqualTo("403 [hidden]");
    }

    @Test
    void an_answer_that_repeats_the_secret_is_not_read() throws IOException {
        String reason = away(
                answering(
                                200,
                                "{\"id\":\"a\",\"status\":\"Never_To_Be_Seen\",\"currency\":\"USD\",\"cash\":\"1\",\"equity\":\"2\","
                                        + "\"trading_blocked\":false,\"account_blocked\":false,\"trade_suspended_by_user\":false}")
                        ::account);

        assertThat(reason).isEqualTo("Alpaca's answer repeats the secret key, so it is not read.");
    }

    @Test
    void pages_of_fills_that_repeat_themselves_end_with_a_reason() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        String page = page(100, i -> """
                {"id":"fill-%d","order_id":"order","symbol":"SPY","side":"buy","qty":"1","price":"1",\
                "transaction_time":"2026-11-25T12:00:00Z"}""".formatted(i));
        AlpacaClient endless = counted(calls, page);

        assertThat(away(() -> endless.fills(Instant.EPOCH)))
                .isEqualTo("Alpaca's pages of fills do not end: one repeats what was on earlier ones.");
        assertThat(calls).hasValue(2);
    }

    @Test
    void pages_of_orders_that_repeat_themselves_end_with_a_reason() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        String page = page(500, i -> """
                {"id":"%d","client_order_id":"c%d","symbol":"SPY","asset_class":"us_equity","side":"buy",\
                "status":"new","filled_qty":"0","qty":"1","submitted_at":"2026-11-25T12:00:00Z"}""".formatted(i, i));
        AlpacaClient endless = counted(calls, page);

        assertThat(away(endless::openOrders))
                .isEqualTo("Alpaca's pages of open orders do not end: one repeats what was on earlier ones.");
        assertThat(calls).hasValue(2);
    }

    private static String page(int items, IntFunction<String> item) {
        return IntStream.range(0, items).mapToObj(item).collect(Collectors.joining(",", "[", "]"));
    }

    private AlpacaClient counted(AtomicInteger calls, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return answering(exchange -> {
            calls.incrementAndGet();
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    /** Each page of fills comes in time, but there is always one more. */
    @Test
    void slow_bodies_end_with_the_time_that_all_calls_may_take() throws IOException {
        AtomicInteger fills = new AtomicInteger();
        AlpacaClient slow = answering(exchange -> {
            byte[] bytes =
                    page(100, i -> """
                    {"id":"fill-%d","order_id":"order","symbol":"SPY","side":"buy","qty":"1","price":"1",\
                    "transaction_time":"2026-11-25T12:00:00Z"}""".formatted(fills.incrementAndGet())).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
            exchange.getResponseBody().flush();
            pause(300);
            exchange.getResponseBody().write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
            exchange.close();
        });
        long began = System.nanoTime();

        String reason = away(() -> slow.within(Duration.ofSeconds(1)).fills(Instant.EPOCH));

        assertThat(reason).isEqualTo("Alpaca answers too slowly: within 1 s it had not answered everything.");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 422})
    void a_refusal_that_is_not_the_brokers_is_none(int status) throws IOException {
        String reason = away(answering(status, "<html>blocked</html>")::account);

        assertThat(reason).isEqualTo("Alpaca cannot be reached: something before it answered " + status + ".");
    }

    @Test
    void a_refusal_of_the_credentials_needs_no_words() throws IOException {
        String words = declined(answering(401, "")::account);

        assertThat(words).isEqualTo("401 unauthorized");
    }

    @Test
    void members_that_are_not_needed_may_be_added_and_numbers_may_be_numbers() throws IOException {
        AlpacaClient answering = answering(
                200,
                "{\"id\":\"a\",\"status\":\"ACTIVE\",\"currency\":\"USD\",\"cash\":-1.50,\"equity\":\"2\",\"new\":[{}],"
                        + "\"trading_blocked\":false,\"account_blocked\":false,\"trade_suspended_by_user\":true}");

        AlpacaAccount read = answer(answering::account);

        assertThat(read.cash()).isEqualByComparingTo("-1.5");
        assertThat(read.problem()).isPresent();
    }

    @Test
    void an_order_of_several_options_is_listed_by_its_legs() throws IOException {
        String order = "{\"id\":\"%s\",\"client_order_id\":\"c\",\"order_class\":\"mleg\",\"symbol\":\"%s\","
                + "\"asset_class\":\"us_option\",\"side\":\"buy\",\"status\":\"new\",\"filled_qty\":\"0\","
                + "\"qty\":\"1\",\"submitted_at\":null,\"created_at\":\"2026-11-25T12:00:00.5-05:00\"}";

        AlpacaClient answering = answering(
                200, "[" + order.formatted("1", "") + "," + order.formatted("2", "AAPL250620C00100000") + "]");

        List<AlpacaOrder> open = answer(answering::openOrders);

        assertThat(open)
                .singleElement()
                .hasFieldOrPropertyWithValue("id", "2")
                .hasFieldOrPropertyWithValue("submittedAt", Instant.parse("2026-11-25T17:00:00.5Z"));
    }

    private AlpacaClient answering(int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return answering(exchange -> {
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private static AlpacaClient stranger(String address) {
        AlpacaTransport transport =
                new AlpacaTransport(URI.create(address), Broker.attempts(2, PATIENT), InstantSource.system());
        return new AlpacaClient(
                transport, transport, new BrokerCredentials(BrokerEnvironment.PAPER, KEY_ID, SECRET_KEY));
    }

    private static Fault[] repeated(Fault fault, int times) {
        return Collections.nCopies(times, fault).toArray(Fault[]::new);
    }
}
