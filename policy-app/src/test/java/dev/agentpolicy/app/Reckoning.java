package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.Asked.Kind;
import dev.agentpolicy.app.Caller.Seen;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds what callers were told against the log as it is read back: nothing that was acknowledged is missing, and nothing
 * is there twice, acknowledged or not.
 */
final class Reckoning {
    private static final BigDecimal CASH = new BigDecimal(10_000);

    private final String what;
    private final LogSoFar log;
    private final Map<Kind, Integer> acknowledged = new EnumMap<>(Kind.class);
    private final Map<Kind, Integer> others = new EnumMap<>(Kind.class);
    private final Set<Long> unsettled = new TreeSet<>();
    private int othersInTheLog;
    private int inTheMiddle;

    /**
     * One for an account that was not used before.
     *
     * @param what is tried with it
     */
    Reckoning(String what, LogSoFar log) {
        this.what = what;
        this.log = log;
    }

    /** Looks at everything that was asked since the last time; asks for every proposal once more. */
    void hold(Queue queue, Collection<Asked> asked) {
        List<JsonNode> again = asked.stream().map(call -> again(queue, call)).toList();
        Map<String, JsonNode> rows = log.read(queue.agent());
        int i = 0;
        for (Asked call : asked) {
            (call.is(200) ? acknowledged : others).merge(call.kind(), 1, Integer::sum);
            List<JsonNode> decided =
                    call.decisions().map(rows::get).filter(Objects::nonNull).toList();
            wholeOrNot(call, decided);
            JsonNode answer = again.get(i++);
            switch (call.kind()) {
                case PROPOSE -> proposedOnce(call, decided, answer);
                case ACCEPT -> acceptedOnce(call, answer);
                default -> {
                    // A dry run leaves nothing but its decision.
                }
            }
        }
    }

    /** Waits for what was accepted and not done yet; then everything was done once, and nothing else was. */
    void close(Queue queue) throws InterruptedException {
        queue.executed(unsettled);
        log.read(queue.agent());
        Map<Long, JsonNode> requests = queue.requests();
        assertThat(requests.keySet()).isEqualTo(log.proposed());
        requests.forEach((id, request) -> {
            boolean isExecuted = log.executed().containsKey(id);
            assertThat(isCompleted(request)).describedAs("%s", request).isEqualTo(isExecuted);
            assertThat(request.get("execution").isNull())
                    .describedAs("%s", request)
                    .isEqualTo(!isExecuted);
        });
        BigDecimal cash = log.executed().values().stream().reduce(CASH, BigDecimal::add);
        assertThat(queue.portfolio().findValuesAsText("cash"))
                .containsExactly(cash.stripTrailingZeros().toPlainString());
        System.out.println(this + "; " + log.verifyWhole(queue.agent()));
    }

    /** How many calls did something although their callers were not told. */
    int othersInTheLog() {
        return othersInTheLog;
    }

    /** What was found out. */
    @Override
    public String toString() {
        return what + ": acknowledged " + acknowledged + ", not acknowledged " + others + ", of which " + othersInTheLog
                + " are in the log; " + inTheMiddle + " acceptances were cut off in the middle; "
                + log.executed().size() + " executions";
    }

    /** What has become of a call: of a proposal the answer to asking once more, of an acceptance its request. */
    private static JsonNode again(Queue queue, Asked call) {
        return switch (call.kind()) {
            case PROPOSE -> queue.proposeOnce(call.number()).ok().json();
            case ACCEPT -> queue.request(call.request());
            default -> null;
        };
    }

    private void wholeOrNot(Asked call, List<JsonNode> decided) {
        int trades = (int) call.decisions().count();
        assertThat(decided.size()).describedAs("%s: %s", call, decided).isIn(call.is(200) ? trades : 0, trades);
        if (!decided.isEmpty()) {
            JsonNode last = decided.get(trades - 1);
            assertThat(last.get("seq").longValue() - decided.get(0).get("seq").longValue())
                    .isEqualTo(trades - 1);
            othersInTheLog += call.is(200) ? 0 : 1;
            if (call.is(200) && call.kind() != Kind.ACCEPT) {
                Seen answer = call.answer().orElseThrow();
                assertThat(answer.header("X-Policy-Event-Seq"))
                        .isEqualTo(last.get("seq").asText());
                assertThat(answer.header("X-Policy-Event-Hash"))
                        .isEqualTo(last.get("hash").textValue());
            }
        }
    }

    private static void proposedOnce(Asked call, List<JsonNode> decided, JsonNode again) {
        assertThat(decided).describedAs("%s", call).hasSize(1);
        assertThat(again.get("serviceRequestId"))
                .isEqualTo(decided.get(0).get("payload").get("serviceRequestId"));
        if (call.is(200)) {
            JsonNode first = call.answer().orElseThrow().json();
            assertThat(again.get("idempotent").booleanValue()).isTrue();
            assertThat(again.get("serviceRequestId")).isEqualTo(first.get("serviceRequestId"));
        }
    }

    private void acceptedOnce(Asked call, JsonNode request) {
        if (Queue.isInProgress(request)) {
            inTheMiddle++;
            unsettled.add(call.request());
        } else if (call.is(200)) {
            JsonNode answer = call.answer().orElseThrow().json();
            assertThat(isCompleted(request)).describedAs("%s", request).isTrue();
            assertThat(Queue.isInProgress(answer) ? request : answer).isEqualTo(request);
        }
    }

    private static boolean isCompleted(JsonNode request) {
        return request.get("status").textValue().equals("completed");
    }
}
