package dev.agentpolicy.alpaca;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agentpolicy.alpaca.StandInDesk.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

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
    private static final long LATER_MILLIS = 20;
    private static final int BACKLOG = 1024;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final Queue<HttpExchange> unanswered = new ConcurrentLinkedQueue<>();
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final StandInDesk desk;
    private final Faults faults = new Faults();
    private volatile UnaryOperator<JsonNode> wording = UnaryOperator.identity();

    /** Something that happens before a call. */
    private record Event(String method, String path, Runnable action) {}

    private AlpacaStandIn(int port, InstantSource clock) throws IOException {
        desk = new StandInDesk(clock);
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
        return desk.account(name, cash);
    }

    public StandInMarket market() {
        return desk.market();
    }

    /** Words every answer differently from now on. */
    public void wording(UnaryOperator<JsonNode> words) {
        wording = words;
    }

    public Faults faults() {
        return faults;
    }

    /** Opens the market for shares and funds, and executes what waited for it. */
    public void openMarket() {
        desk.openMarket();
    }

    /** Closes the market for shares and funds; orders of the day that are open expire. */
    public void closeMarket() {
        desk.closeMarket();
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
                send(exchange, answer(429, StandInDesk.error(42_910_000, "rate limit exceeded")));
            }
            case SERVER_ERROR ->
                send(exchange, answer(500, StandInDesk.error(50_010_000, "internal server error occurred")));
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
                send(exchange, answer(200, JsonNodeFactory.instance.objectNode().put("filled_qty", "many")));
            }
        }
    }

    private Answer answer(HttpExchange exchange, byte[] body) {
        Headers sent = exchange.getRequestHeaders();
        Answer answer = desk.answer(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                sent.getFirst("APCA-API-KEY-ID"),
                sent.getFirst("APCA-API-SECRET-KEY"),
                body);
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        JsonNode node = answer.body();
        return node == null ? answer : new Answer(answer.status(), answer.headers(), wording.apply(node));
    }

    private static Answer answer(int status, JsonNode body) {
        return new Answer(status, Map.of(), body);
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
