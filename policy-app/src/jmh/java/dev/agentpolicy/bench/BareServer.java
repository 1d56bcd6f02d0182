package dev.agentpolicy.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.Javalin;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The physical limit: a bare handler that parses the trade and answers a decision of the same size, with Jackson and
 * the Javalin of the service, and does nothing else; and one that answers as many bytes as it is asked for.
 */
final class BareServer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> LARGE = new ConcurrentHashMap<>();
    private static final Snapshot SNAPSHOT = new Snapshot(
            new BigDecimal("100000"),
            new BigDecimal("20000"),
            new BigDecimal("70000"),
            new BigDecimal("10000"),
            new BigDecimal("0.2"),
            new BigDecimal("0.7"),
            new BigDecimal("0.1"),
            "2026-11-21T13:40:18.122172Z",
            BigDecimal.ZERO);

    private BareServer() {}

    /** As long as that with its quotes. */
    private static String text(String bytes) {
        return "x".repeat(Integer.parseInt(bytes) - 2);
    }

    /** A trade as it is sent. */
    record Trade(
            String action,
            String assetSymbol,
            String assetType,
            BigDecimal amountUsd,
            @Nullable BigDecimal expectedSlippagePct) {}

    /** A snapshot as it is answered. */
    record Snapshot(
            BigDecimal totalValue,
            BigDecimal cryptoValue,
            BigDecimal tradfiValue,
            BigDecimal cashValue,
            BigDecimal cryptoPct,
            BigDecimal tradfiPct,
            BigDecimal cashPct,
            String snapshotDate,
            BigDecimal currentDrawdownPct) {}

    /** A decision as it is answered. */
    record Decision(
            boolean allowed,
            String reason,
            List<String> violations,
            int ipsVersion,
            Snapshot snapshot,
            String checkedAt) {}

    public static void main(String[] arguments) {
        Javalin server = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.routes.post(Calls.VALIDATE, ctx -> {
                Trade trade = JSON.readValue(ctx.bodyAsBytes(), Trade.class);
                boolean isAllowed = trade.amountUsd().signum() >= 0;
                Decision decision =
                        new Decision(isAllowed, "Within policy", List.of(), 1, SNAPSHOT, "2026-11-21T13:40:19.196486Z");
                ctx.contentType("application/json").result(JSON.writeValueAsBytes(decision));
            });
            config.routes.get(
                    Calls.API + "bytes/{many}",
                    ctx -> ctx.contentType("application/json")
                            .result(JSON.writeValueAsBytes(
                                    LARGE.computeIfAbsent(ctx.pathParam("many"), BareServer::text))));
        });
        System.out.println(
                "Listening on http://127.0.0.1:" + server.start("127.0.0.1", 0).port());
    }
}
