package dev.agentpolicy.app;

import static dev.agentpolicy.app.Household.API;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The log of an account, read and verified from where it was left the last time. */
final class LogSoFar {
    private static final String PAGE = API + "policy/events?limit=500";

    private final Path saved;
    private final Set<String> decisions = new HashSet<>();
    private final Set<Long> proposed = new TreeSet<>();
    private final Map<Long, BigDecimal> executed = new TreeMap<>();
    private long lastSeq;
    private String lastTime = "";

    /** @param saved where the verifier keeps how far it got */
    LogSoFar(Path saved) {
        this.saved = saved;
    }

    /** The rows of decisions that are new, by what was decided; none was ever there before. */
    Map<String, JsonNode> read(Caller agent) {
        verify(agent, "--save", saved.toString());
        Map<String, JsonNode> fresh = new HashMap<>();
        String since = lastTime.isEmpty() ? "" : "&since=" + URLEncoder.encode(lastTime, StandardCharsets.UTF_8);
        String cursor = "";
        while (cursor != null) {
            JsonNode page = agent.get(PAGE + since + cursor).ok().json();
            page.get("events").forEach(row -> take(row, fresh));
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? null : "&cursor=" + URLEncoder.encode(next.textValue(), StandardCharsets.UTF_8);
        }
        return fresh;
    }

    /** Every row from the first on, and every verdict decided again. */
    String verifyWhole(Caller agent) {
        return verify(agent, "--recompute");
    }

    /** The requests that proposals became. */
    Set<Long> proposed() {
        return proposed;
    }

    /** What the execution of each request brought in cash. */
    Map<Long, BigDecimal> executed() {
        return executed;
    }

    @Override
    public String toString() {
        return lastSeq + " rows";
    }

    private void take(JsonNode row, Map<String, JsonNode> fresh) {
        if (row.get("seq").longValue() <= lastSeq) {
            return;
        }
        assertThat(row.get("seq").longValue()).isEqualTo(++lastSeq);
        lastTime = row.get("createdAt").textValue();
        JsonNode payload = row.get("payload");
        switch (row.get("eventType").textValue()) {
            case "guardrail.decision" -> decision(row, payload, fresh);
            case "broker.trade_observed" -> {
                BigDecimal amount = new BigDecimal(payload.get("amountUsd").textValue());
                boolean isBuy = payload.get("action").textValue().equals("buy");
                BigDecimal before =
                        executed.put(payload.get("serviceRequestId").longValue(), isBuy ? amount.negate() : amount);
                assertThat(before).describedAs("executed before: %s", row).isNull();
            }
            default -> {
                // Nothing an experiment asks for.
            }
        }
    }

    private void decision(JsonNode row, JsonNode payload, Map<String, JsonNode> fresh) {
        String kind = payload.get("kind").textValue();
        String name = Asked.name(kind, payload.get("trade").get("amountUsd").textValue());
        assertThat(decisions.add(name)).describedAs("once: %s", row).isTrue();
        fresh.put(name, row);
        if (kind.equals("propose") && payload.get("allowed").booleanValue()) {
            proposed.add(payload.get("serviceRequestId").longValue());
        }
    }

    private static String verify(Caller agent, String... options) {
        CommandLineRun run = new CommandLineRun(Map.of("KEY", agent.key()));
        String[] all = new String[4 + options.length];
        System.arraycopy(new String[] {"--url", agent.address(), "--api-key-env", "KEY"}, 0, all, 0, 4);
        System.arraycopy(options, 0, all, 4, options.length);
        assertThat(run.main("verify", all)).describedAs(run.out() + run.err()).isZero();
        return run.out().strip();
    }
}
