package dev.agentpolicy.alpaca;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The accounts and the market of the stand-in, and its answers to calls, without a network. Safe for threads. */
public final class StandInDesk {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Prices of coins, which the broker tells anybody. */
    private static final String PUBLIC_DATA = "/v1beta3/crypto/us/latest/";

    private static final int MAX_ORDERS = 500;
    private static final int DEFAULT_ORDERS = 50;

    private final Map<String, StandInAccount> accounts = new ConcurrentHashMap<>();
    private final StandInMarket market;

    /** @param clock the broker's */
    public StandInDesk(InstantSource clock) {
        market = new StandInMarket(clock, () -> accounts.values().forEach(StandInAccount::priceMoved));
    }

    /** A status with the headers and the body of an answer; the body is null when it has none. */
    public record Answer(
            int status,
            Map<String, String> headers,
            @Nullable JsonNode body) {}

    /** Opens an account whose key and secret are made from its name. */
    public StandInAccount account(String name, String cash) {
        StandInAccount account = new StandInAccount("PK" + name, "secret-of-" + name, cash, market);
        accounts.put(account.keyId(), account);
        return account;
    }

    public StandInMarket market() {
        return market;
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

    /** Does what a call asks for. */
    public Answer answer(String method, URI uri, @Nullable String keyId, @Nullable String secretKey, byte[] body) {
        Map<String, String> headers = new HashMap<>();
        try {
            if (method.equals("GET") && keyId == null && uri.getPath().startsWith(PUBLIC_DATA)) {
                return new Answer(200, headers, latest(uri.getPath(), query(uri)));
            }
            StandInAccount account = authenticated(keyId, secretKey);
            RateWindow.Budget budget = account.rate().use(market.now());
            headers.put("X-RateLimit-Limit", String.valueOf(budget.limit()));
            headers.put("X-RateLimit-Remaining", String.valueOf(budget.remaining()));
            headers.put("X-RateLimit-Reset", String.valueOf(budget.resetEpochSecond()));
            if (budget.isExceeded()) {
                return new Answer(429, headers, error(42_910_000, "rate limit exceeded"));
            }
            JsonNode answered = route(account, method, uri, body);
            return new Answer(answered == null ? 204 : 200, headers, answered);
        } catch (RefusedCall refused) {
            return new Answer(refused.status(), headers, error(refused.code(), String.valueOf(refused.getMessage())));
        } catch (IOException notJson) {
            return new Answer(400, headers, error(40_010_000, "request body format is invalid"));
        }
    }

    private StandInAccount authenticated(@Nullable String keyId, @Nullable String secretKey) {
        StandInAccount account = accounts.get(String.valueOf(keyId));
        if (account == null || !account.secretKey().equals(secretKey)) {
            throw RefusedCall.unauthorized();
        }
        return account;
    }

    private @Nullable JsonNode route(StandInAccount account, String method, URI uri, byte[] body) throws IOException {
        String path = uri.getPath();
        return switch (method) {
            case "GET" -> read(account, path, query(uri));
            case "POST" -> {
                require(path.equals("/v2/orders"));
                yield account.place(JSON.readTree(body));
            }
            case "DELETE" -> {
                account.cancel(after("/v2/orders/", path));
                yield null;
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
            case "/v2/stocks/quotes/latest",
                    PUBLIC_DATA + "quotes",
                    "/v2/stocks/trades/latest",
                    PUBLIC_DATA + "trades" -> latest(path, query);
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

    private JsonNode latest(String path, Map<String, String> query) {
        String kind = path.contains("quotes") ? "quotes" : "trades";
        return market.latestAsJson(kind, path.startsWith(PUBLIC_DATA), query.getOrDefault("symbols", ""));
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

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        String raw = uri.getRawQuery();
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

    static ObjectNode error(int code, String message) {
        return JsonNodeFactory.instance.objectNode().put("code", code).put("message", message);
    }
}
