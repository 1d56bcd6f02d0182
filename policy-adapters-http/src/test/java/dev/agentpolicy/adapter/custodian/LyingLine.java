package dev.agentpolicy.adapter.custodian;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.alpaca.StandInDesk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** A line to the stand-in without a network, on which any part of any answer may become a lie. */
final class LyingLine extends HttpClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int[] STATUS = {200, 204, 207, 302, 400, 401, 403, 404, 408, 409, 418, 422, 429, 500, 503};
    private static final String[] NUMBERS = {
        "-5",
        "-500",
        "0",
        "1",
        "0.000000001",
        "1e64",
        "1e12",
        "1E400000000",
        "NaN",
        "Infinity",
        "+1",
        "1,5",
        "0x10",
        "\u0661",
        "\u0662.\u0665",
        "\uff11\uff12",
        "999999999999",
        "1000000000001",
        "1000000000000001",
        "0.12345678901234567890123456789012345678901",
        "99999999999999999999999999999999999999999999999999"
    };
    private static final String[] SYMBOLS = {
        "BTC/USD", "BTCUSD", "BTC", "SPY", "SPY.X", "AAPL", "ETH/BTC", "ETH/USD", "USD", "EUR"
    };
    private static final String[] SIDES = {"buy", "sell", "sell_short", "short", "long"};
    private static final String[] STATES = {
        "filled", "canceled", "rejected", "expired", "replaced", "new", "accepted", "partially_filled", "held", "ACTIVE"
    };
    private static final String[] TIMES = {
        "2099-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "+123456789-01-01T00:00:00Z",
        "2026-11-21T12:00:00Z", "2026-11-21T18:00:00Z", "2026-11-22T06:00:00Z", "yesterday"
    };
    private static final String[] WORDS = {
        "",
        " ",
        "market",
        "limit",
        "crypto",
        "us_equity",
        "us_option",
        "mleg",
        "\u0000",
        "\ud800",
        "\u202e",
        "x".repeat(300)
    };
    /** What the service reads of an answer. */
    private static final Set<String> READ = Set.of(
            "id",
            "client_order_id",
            "order_id",
            "symbol",
            "side",
            "qty",
            "price",
            "status",
            "filled_qty",
            "notional",
            "type",
            "transaction_time",
            "cash",
            "current_price",
            "updated_at",
            "submitted_at",
            "timestamp",
            "currency",
            "asset_class",
            "class",
            "tradable",
            "fractionable",
            "trading_blocked",
            "filled_avg_price",
            "limit_price");

    /** By which member orders, fills, positions, accounts, clocks and assets are known. */
    private static final List<String> KINDS = List.of(
            "client_order_id", "activity_type", "avg_entry_price", "account_number", "next_open", "fractionable");

    /** What an order is, as opposed to which one it is and how it stands. */
    private static final List<String> WORDING = List.of(
            "symbol",
            "notional",
            "qty",
            "side",
            "type",
            "order_type",
            "asset_class",
            "asset_id",
            "limit_price",
            "legs");

    private final StandInDesk desk;
    private final Random random;
    private final List<String> ids = new ArrayList<>();
    private final Map<String, StandingLie> standing = new HashMap<>();
    private double lies;
    private boolean isWordingOnly;

    /** One member of everything of a kind has this value; null for none. */
    private record StandingLie(String member, JsonNode value) {}

    LyingLine(StandInDesk desk, Random random) {
        this.desk = desk;
        this.random = random;
    }

    /** From now on so many of the answers are lies, from 0 to 1. */
    void lie(double share) {
        lies = share;
    }

    /** Stops the lies that are told in every answer, and begins others, which are the same each time. */
    void standBy(int kinds) {
        standing.clear();
        for (int i = 0; i < kinds; i++) {
            String kind = isWordingOnly ? KINDS.get(0) : KINDS.get(random.nextInt(KINDS.size()));
            standing.put(kind, new StandingLie("", null));
        }
    }

    /** An answer with the lies that are told each time. */
    private JsonNode consistently(JsonNode truth) {
        if (truth == null || standing.isEmpty()) {
            return truth;
        }
        JsonNode body = truth.deepCopy();
        (body.isArray() ? body : List.of(body))
                .forEach(node -> standing.replaceAll((kind, lie) -> {
                    if (!node.has(kind)) {
                        return lie;
                    }
                    StandingLie told = lie.member().isEmpty() ? chosen((ObjectNode) node) : lie;
                    if (told.value() == null) {
                        ((ObjectNode) node).remove(told.member());
                    } else {
                        ((ObjectNode) node).set(told.member(), told.value());
                    }
                    return told;
                }));
        return body;
    }

    private StandingLie chosen(ObjectNode node) {
        List<String> names = new ArrayList<>();
        if (isWordingOnly) {
            names.addAll(WORDING);
        } else {
            names.addAll(names(node));
        }
        String member = names.get(random.nextInt(names.size()));
        return new StandingLie(member, random.nextInt(10) == 0 ? null : other(member, node.path(member)));
    }

    /** From now on only the wording of orders is a lie: what they are for, not whether they are there and how they stand. */
    void onlyWording() {
        isWordingOnly = true;
    }

    @Override
    public synchronized <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        StandInDesk.Answer answer = desk.answer(
                request.method(),
                request.uri(),
                request.headers().firstValue("APCA-API-KEY-ID").orElse(null),
                request.headers().firstValue("APCA-API-SECRET-KEY").orElse(null),
                bytes(request));
        answer = new StandInDesk.Answer(answer.status(), answer.headers(), consistently(answer.body()));
        if (answer.body() != null) {
            remember(answer.body());
        }
        if (random.nextDouble() >= lies) {
            return CompletableFuture.completedFuture(response(request, answer.status(), text(answer.body()), handler));
        }
        if (isWordingOnly) {
            JsonNode body = answer.body() == null ? null : worded(answer.body().deepCopy());
            return CompletableFuture.completedFuture(response(request, answer.status(), text(body), handler));
        }
        if (random.nextInt(15) == 0) {
            return CompletableFuture.failedFuture(new IOException("The line is dead."));
        }
        int status = random.nextInt(6) == 0 ? STATUS[random.nextInt(STATUS.length)] : answer.status();
        JsonNode body = answer.body() == null ? anything() : answer.body().deepCopy();
        return CompletableFuture.completedFuture(response(request, status, lie(body), handler));
    }

    private JsonNode worded(JsonNode body) {
        (body.isArray() ? body : List.of(body)).forEach(node -> {
            if (node.has("client_order_id")) {
                String member = WORDING.get(random.nextInt(WORDING.size()));
                ((ObjectNode) node).set(member, other(member, node.path(member)));
            }
        });
        return body;
    }

    private byte[] lie(JsonNode truth) {
        if (random.nextInt(40) == 0) {
            return new byte[] {'{', (byte) 0xff, '"'};
        }
        JsonNode body = truth;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            body = random.nextInt(25) == 0 ? anything() : changed(body);
        }
        return text(body);
    }

    private JsonNode changed(JsonNode body) {
        if (body instanceof ArrayNode list) {
            return list(list);
        }
        if (body instanceof ObjectNode object && !object.isEmpty()) {
            List<String> names = names(object);
            String name = names.get(random.nextInt(names.size()));
            if (random.nextInt(5) == 0) {
                object.remove(name);
            } else {
                object.set(name, other(name, object.get(name)));
            }
        }
        return body;
    }

    private JsonNode list(ArrayNode list) {
        if (list.isEmpty()) {
            return random.nextInt(3) == 0 ? list.add(anything()) : list;
        }
        int at = random.nextInt(list.size());
        switch (random.nextInt(6)) {
            case 0 -> list.remove(at);
            case 1 -> list.add(list.get(at).deepCopy());
            case 2 -> {
                List<JsonNode> items = new ArrayList<>();
                list.forEach(items::add);
                Collections.shuffle(items, random);
                return list.removeAll().addAll(items);
            }
            default -> list.set(at, changed(list.get(at)));
        }
        return list;
    }

    /** The members of an object; mostly only those that the service reads. */
    private List<String> names(ObjectNode object) {
        List<String> all = new ArrayList<>();
        object.fieldNames().forEachRemaining(all::add);
        List<String> read = all.stream().filter(READ::contains).toList();
        return read.isEmpty() || random.nextInt(4) == 0 ? all : read;
    }

    /** Another value: a wrong one of the same sort, or anything. */
    private JsonNode other(String member, JsonNode value) {
        String text = value.asText();
        if (random.nextInt(4) == 0) {
            return anything();
        }
        if (value.isBoolean()) {
            return NODES.booleanNode(!value.booleanValue());
        }
        if (member.equals("symbol")) {
            return word(SYMBOLS);
        }
        if (member.equals("side")) {
            return word(SIDES);
        }
        if (member.equals("status")) {
            return word(STATES);
        }
        if (text.matches("[0-9-]{10}T.*")) {
            return word(TIMES);
        }
        if (member.endsWith("id") && !ids.isEmpty()) {
            return NODES.textNode(ids.get(random.nextInt(ids.size())));
        }
        return text.matches("-?[0-9.]{1,30}") ? number(new BigDecimal(text)) : anything();
    }

    private JsonNode number(BigDecimal truth) {
        if (random.nextBoolean()) {
            return word(NUMBERS);
        }
        String[] factors = {"-1", "0.5", "0.999999999", "1.000000001", "2", "10", "1000000"};
        BigDecimal near = truth.multiply(new BigDecimal(factors[random.nextInt(factors.length)]));
        return random.nextBoolean() ? NODES.textNode(near.toPlainString()) : NODES.numberNode(near);
    }

    private JsonNode word(String[] words) {
        return NODES.textNode(words[random.nextInt(words.length)]);
    }

    private JsonNode anything() {
        return switch (random.nextInt(14)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt(2_000) - 1_000);
            case 3 -> NODES.numberNode(new BigDecimal("1e64"));
            case 4 -> NODES.arrayNode().add("x");
            case 5 -> NODES.objectNode().put("message", "no");
            case 6 -> word(NUMBERS);
            case 7 -> word(SYMBOLS);
            case 8 -> word(STATES);
            case 9 -> word(TIMES);
            case 10 -> word(SIDES);
            default -> word(WORDS);
        };
    }

    private void remember(JsonNode truth) {
        for (String member : List.of("id", "client_order_id", "order_id", "asset_id")) {
            truth.findValues(member).stream()
                    .filter(JsonNode::isTextual)
                    .limit(5)
                    .forEach(id -> ids.add(id.textValue()));
        }
    }

    private static byte[] text(JsonNode body) {
        try {
            return body == null ? new byte[0] : JSON.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static byte[] bytes(HttpRequest request) {
        ByteArrayOutputStream collected = new ByteArrayOutputStream();
        request.bodyPublisher()
                .ifPresent(body -> body.subscribe(new Flow.Subscriber<>() {
                    @Override
                    public void onSubscribe(Flow.Subscription subscription) {
                        subscription.request(Long.MAX_VALUE);
                    }

                    @Override
                    public void onNext(ByteBuffer part) {
                        byte[] bytes = new byte[part.remaining()];
                        part.get(bytes);
                        collected.writeBytes(bytes);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        throw new AssertionError(failure);
                    }

                    @Override
                    public void onComplete() {
                        // The publisher of a text is done when it returns.
                    }
                }));
        return collected.toByteArray();
    }

    private static <T> HttpResponse<T> response(HttpRequest request, int status, byte[] body, BodyHandler<T> handler) {
        HttpHeaders headers = HttpHeaders.of(Map.of("Retry-After", List.of("0")), (name, value) -> true);
        BodySubscriber<T> subscriber = handler.apply(new Info(status, headers));
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long items) {
                // Everything is sent below.
            }

            @Override
            public void cancel() {
                // Nothing is under way.
            }
        });
        subscriber.onNext(List.of(ByteBuffer.wrap(body)));
        subscriber.onComplete();
        T read = subscriber.getBody().toCompletableFuture().join();
        return new Response<>(request, status, headers, read);
    }

    private record Info(int statusCode, HttpHeaders headers) implements HttpResponse.ResponseInfo {
        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }
    }

    private record Response<T>(HttpRequest request, int statusCode, HttpHeaders headers, T body)
            implements HttpResponse<T> {
        @Override
        public Optional<HttpResponse<T>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<javax.net.ssl.SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
        return sendAsync(request, handler).join();
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushes) {
        return sendAsync(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return Optional.empty();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return Optional.empty();
    }

    @Override
    public Redirect followRedirects() {
        return Redirect.NEVER;
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return Optional.empty();
    }

    @Override
    public SSLContext sslContext() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SSLParameters sslParameters() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return Optional.empty();
    }

    @Override
    public Version version() {
        return Version.HTTP_1_1;
    }

    @Override
    public Optional<Executor> executor() {
        return Optional.empty();
    }
}
