package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.NumberedCall.Kind;
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

/** The log of an account, read and verified from the end of the last reading. */
final class IncrementalLog {
    private static final String PAGE = API + "policy/events?limit=500";

    private final Path saved;
    private final Set<String> names = new HashSet<>();
    private final Set<Long> proposed = new TreeSet<>();
    private final Set<Long> rejected = new TreeSet<>();
    private final Map<Long, BigDecimal> executed = new TreeMap<>();
    private final ChangeHistory changes = new ChangeHistory();
    private long lastSeq;
    private String lastTime = "";

    /** @param saved where the verifier keeps how far it got */
    IncrementalLog(Path saved) {
        this.saved = saved;
    }

    /** The new rows of what was decided or changed, by their names; none was ever there before. */
    Map<String, JsonNode> read(ApiCaller agent) {
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
    String verifyWhole(ApiCaller agent) {
        return verify(agent, "--recompute");
    }

    /** The requests that proposals became. */
    Set<Long> proposed() {
        return proposed;
    }

    /** The requests that the user turned down. */
    Set<Long> rejected() {
        return rejected;
    }

    /** What it says of statements and keys. */
    ChangeHistory changes() {
        return changes;
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
            case "guardrail.decision" -> fresh.put(decision(row, payload), row);
            case "ips.created", "ips.amended" -> fresh.put(once(changes.statement(row)), row);
            case "key.minted", "key.rotated", "key.revoked" -> fresh.put(once(changes.key(row)), row);
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

    /** A yes and a no to one request are once, together. */
    private String decision(JsonNode row, JsonNode payload) {
        String kind = payload.get("kind").textValue();
        String amount = payload.get("trade").get("amountUsd").textValue();
        String name = once(NumberedCall.name(kind, amount));
        long request = payload.get("serviceRequestId").longValue();
        if (kind.equals("propose") && payload.get("allowed").booleanValue()) {
            proposed.add(request);
        }
        if (kind.equals("attestation")
                && !payload.get("attestation").get("accepted").booleanValue()) {
            rejected.add(request);
            return NumberedCall.name(Kind.REJECT.inTheLog(), amount);
        }
        return name;
    }

    private String once(String name) {
        assertThat(names.add(name)).describedAs("once: %s", name).isTrue();
        return name;
    }

    private static String verify(ApiCaller agent, String... options) {
        CommandLineRun run = new CommandLineRun(Map.of("KEY", agent.key()));
        String[] all = new String[4 + options.length];
        System.arraycopy(new String[] {"--url", agent.address(), "--api-key-env", "KEY"}, 0, all, 0, 4);
        System.arraycopy(options, 0, all, 4, options.length);
        assertThat(run.main("verify", all)).describedAs(run.out() + run.err()).isZero();
        return run.out().strip();
    }
}
