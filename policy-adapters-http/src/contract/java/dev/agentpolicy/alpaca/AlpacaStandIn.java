package dev.agentpolicy.alpaca;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A broker for tests on a loopback port. It keeps accounts, prices, orders and fills, and speaks the part of Alpaca's
 * Trading API that the service uses. Its market is open, its orders are filled at once, and nothing fails, until a test
 * asks for something else.
 */
public final class AlpacaStandIn implements AutoCloseable {
    static {
        // Otherwise each answer waits 40 ms for the acknowledgement of its headers.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_ORDERS = 500;
    private static final int DEFAULT_ORDERS = 50;
    private static final long LATER_MILLIS = 20;
    private static final int BACKLOG = 1024;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, StandInAccount> accounts = new ConcurrentHashMap<>();
    private final Queue<HttpExchange> unanswered = new ConcurrentLinkedQueue<>();
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final StandInMarket market;
    private final Faults faults = new Faults();

    /** A status with the body of an answer; null when it has none. */
    private record Answer(int status, @Nullable JsonNode body) {}

    /** Something that happens before a call. */
    private record Event(String method, String path, Runnable action) {}

    private AlpacaStandIn(int port, InstantSource clock) throws IOException {
        market = new StandInMarket(clock);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Starts on a free port. */
    public static AlpacaStandIn start() {
        return start(0, InstantSource.system());
    }

    /**
     * Starts on a port.
     *
     * @param port 0 for a free one
     * @param clock the broker's
     */
    public static AlpacaStandIn start(int port, InstantSource clock) {
        try {
            return new AlpacaStandIn(port, clock);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** For instance {@code http://127.0.0.1:40123}. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Opens an account whose key and secret are made from its name. */
    public StandInAccount account(String name, String cash) {
        StandInAccount account = new StandInAccount("PK" + name, "secret-of-" + name, cash, market);
        accounts.put(account.keyId(), account);
        return account;
    }

    public StandInMarket market() {
        return market;
    }

    public Faults faults() {
        return faults;
    }

    /** Opens the market for shares and funds, and executes what waited for it. */
    public void openMarket() {
        market.open(true);
        accounts.values().forEach(StandInAccount::marketOpened);
    }

    /** Closes the market for shares and funds; orders of the day that are open expire. */
    public void closeMarket() {
        accounts.values().forEach(StandInAccount::marketClosed);
        market.open(false);
    }

    /** Has something happen at the broker once, right before the next call of a method to a path that begins so. */
    public void before(String method, String path, Runnable event) {
        events.add(new Event(method, path, event));
    }

    /** The calls so far, as {@code GET /v2/account}, without queries. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public void close() {
        unanswered.forEach(HttpExchange::close);
        later.shutdownNow();
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        calls.add(method + " " + path);
        byte[] body = exchange.getRequestBody().readAllBytes();
        happen(method, path);
        Optional<Fault> fault = faults.of(method, path);
        if (fault.isPresent()) {
            fail(exchange, fault.get(), body);
        } else {
            send(exchange, answer(exchange, body));
        }
    }

    private void happen(String method, String path) {
        for (Event event : events) {
            boolean isDue = event.method().equals(method) && path.startsWith(event.path());
            if (isDue && events.remove(event)) {
                event.action().run();
                return;
            }
        }
    }

    private void fail(HttpExchange exchange, Fault fault, byte[] body) throws IOException {
        switch (fault) {
            case DROPPED -> exchange.close();
            case LOST_ANSWER -> {
                answer(exchange, body);
                exchange.close();
            }
            case SILENT -> unanswered.add(exchange);
            case DONE_BUT_SILENT -> {
                answer(exchange, body);
                unanswered.add(exchange);
            }
            case DONE_LATER -> {
                later.schedule(() -> answer(exchange, body), LATER_MILLIS, TimeUnit.MILLISECONDS);
                exchange.close();
            }
            case RATE_LIMITED -> {
                exchange.getResponseHeaders().set("Retry-After", "0");
                send(exchange, new Answer(429, error(42_910_000, "rate limit exceeded")));
            }
            case SERVER_ERROR -> send(exchange, new Answer(500, error(50_010_000, "internal server error occurred")));
            case GATEWAY_TIMEOUT -> {
                answer(exchange, body);
                sendText(exchange, 504, "<html>504 Gateway Time-out</html>");
            }
            case CUT_ANSWER -> {
                sendHalf(exchange, answer(exchange, body));
                exchange.close();
            }
            case STALLED_ANSWER -> {
                sendHalf(exchange, answer(exchange, body));
                unanswered.add(exchange);
            }
            case NOT_JSON -> {
                answer(exchange, body);
                sendText(exchange, 200, "<html>Please try again</html>");
            }
            case WRONG_SHAPE -> {
                answer(exchange, body);
                send(
                        exchange,
                        new Answer(200, JsonNodeFactory.instance.objectNode().put("filled_qty", "many")));
            }
        }
    }

    private Answer answer(HttpExchange exchange, byte[] body) {
        try {
            StandInAccount account = authenticated(exchange);
            RateWindow.Budget budget = account.rate().use(market.now());
            exchange.getResponseHeaders().set("X-RateLimit-Limit", String.valueOf(budget.limit()));
            exchange.getResponseHeaders().set("X-RateLimit-Remaining", String.valueOf(budget.remaining()));
            exchange.getResponseHeaders().set("X-RateLimit-Reset", String.valueOf(budget.resetEpochSecond()));
            if (budget.isExceeded()) {
                return new Answer(429, error(42_910_000, "rate limit exceeded"));
            }
            return route(account, exchange, body);
        } catch (RefusedCall refused) {
            return new Answer(refused.status(), error(refused.code(), String.valueOf(refused.getMessage())));
        } catch (IOException notJson) {
            return new Answer(400, error(40_010_000, "request body format is invalid"));
        }
    }

    private StandInAccount authenticated(HttpExchange exchange) {
        String keyId = String.valueOf(exchange.getRequestHeaders().getFirst("APCA-API-KEY-ID"));
        String secretKey = exchange.getRequestHeaders().getFirst("APCA-API-SECRET-KEY");
        StandInAccount account = accounts.get(keyId);
        if (account == null || !account.secretKey().equals(secretKey)) {
            throw RefusedCall.unauthorized();
        }
        return account;
    }

    private Answer route(StandInAccount account, HttpExchange exchange, byte[] body) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Map<String, String> query = query(exchange);
        return switch (exchange.getRequestMethod()) {
            case "GET" -> new Answer(200, read(account, path, query));
            case "POST" -> {
                require(path.equals("/v2/orders"));
                yield new Answer(200, account.place(JSON.readTree(body)));
            }
            case "DELETE" -> {
                account.cancel(after("/v2/orders/", path));
                yield new Answer(204, null);
            }
            default -> throw RefusedCall.notFound("endpoint not found");
        };
    }

    private JsonNode read(StandInAccount account, String path, Map<String, String> query) {
        return switch (path) {
            case "/v2/account" -> account.asJson();
            case "/v2/positions" -> account.positionsAsJson();
            case "/v2/clock" -> market.clockAsJson();
            case "/v2/assets" -> market.assetsAsJson(Optional.ofNullable(query.get("asset_class")));
            case "/v2/account/activities/FILL" -> account.fillsAsJson(query);
            case "/v2/orders:by_client_order_id" ->
                account.orderByClientOrderIdAsJson(query.getOrDefault("client_order_id", ""));
            case "/v2/orders" -> orders(account, query);
            default ->
                path.startsWith("/v2/assets/")
                        ? asset(after("/v2/assets/", path))
                        : account.orderAsJson(after("/v2/orders/", path));
        };
    }

    private static JsonNode orders(StandInAccount account, Map<String, String> query) {
        int limit = Integer.parseInt(query.getOrDefault("limit", String.valueOf(DEFAULT_ORDERS)));
        return account.ordersAsJson(
                query.getOrDefault("status", "open"),
                Math.min(limit, MAX_ORDERS),
                Optional.ofNullable(query.get("before_order_id")));
    }

    private JsonNode asset(String name) {
        return market.find(name)
                .map(market::asJson)
                .orElseThrow(() -> RefusedCall.notFound("asset not found for " + name));
    }

    private static String after(String prefix, String path) {
        require(path.startsWith(prefix));
        return path.substring(prefix.length());
    }

    private static void require(boolean isKnown) {
        if (!isKnown) {
            throw RefusedCall.notFound("endpoint not found");
        }
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        if (raw != null) {
            for (String pair : raw.split("&", -1)) {
                String[] sides = pair.split("=", 2);
                query.put(decode(sides[0]), sides.length > 1 ? decode(sides[1]) : "");
            }
        }
        return query;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static ObjectNode error(int code, String message) {
        return JsonNodeFactory.instance.objectNode().put("code", code).put("message", message);
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        if (answer.body() == null) {
            exchange.sendResponseHeaders(answer.status(), -1);
            exchange.close();
        } else {
            exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
            write(exchange, answer.status(), JSON.writeValueAsBytes(answer.body()));
        }
    }

    private static void sendText(HttpExchange exchange, int status, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/html");
        write(exchange, status, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(HttpExchange exchange, int status, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void sendHalf(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = JSON.writeValueAsBytes(answer.body());
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body, 0, body.length / 2);
        exchange.getResponseBody().flush();
    }
}
