package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.NumberedCall.Kind;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Compares the answers that callers received with the log: nothing acknowledged is missing, and nothing
 * is recorded twice, acknowledged or not.
 */
final class RecoveryChecker {
    private static final BigDecimal CASH = new BigDecimal(10_000);
    private static final Set<Kind> RECEIPTS = Set.of(Kind.VALIDATE, Kind.BATCH, Kind.PROPOSE);

    private final String what;
    private final IncrementalLog log;
    private final Map<Kind, Integer> acknowledged = new EnumMap<>(Kind.class);
    private final Map<Kind, Integer> others = new EnumMap<>(Kind.class);
    private final Map<Kind, Integer> othersInTheLog = new EnumMap<>(Kind.class);
    private final RequestRecoveryCheck requests;
    private final SignUpRecoveryCheck people = new SignUpRecoveryCheck();
    private final List<RecoveryCheck> all;
    private int tooLate;

    /**
     * One for an account that was not used before.
     *
     * @param what is tried with it
     */
    RecoveryChecker(String what, IncrementalLog log) {
        this.what = what;
        this.log = log;
        this.requests = new RequestRecoveryCheck(log);
        this.all = List.of(
                requests,
                new KeyRecoveryCheck(log.changes()),
                new IpsRecoveryCheck(log.changes()),
                new HoldingsRecoveryCheck(),
                people);
    }

    /** Looks at everything that was asked since the last time; asks for every proposal once more. */
    void hold(ProposalClient queue, Collection<NumberedCall> asked) {
        List<JsonNode> again = asked.stream().map(call -> again(queue, call)).toList();
        Map<String, JsonNode> rows = log.read(queue.agent());
        int i = 0;
        for (NumberedCall call : asked) {
            count(call);
            List<JsonNode> found =
                    call.rows().map(rows::get).filter(Objects::nonNull).toList();
            wholeOrNot(call, found);
            JsonNode answer = again.get(i++);
            if (call.kind() == Kind.PROPOSE) {
                proposedOnce(call, found, answer);
            }
        }
        all.forEach(it -> it.hold(queue, asked));
    }

    /** Waits for what was accepted and not done yet; then everything was done once, and nothing else was. */
    void close(ProposalClient queue) throws InterruptedException {
        requests.settle(queue);
        log.read(queue.agent());
        all.forEach(it -> it.close(queue));
        BigDecimal cash = log.executed().values().stream().reduce(CASH, BigDecimal::add);
        assertThat(queue.cash("paper")).contains(cash.stripTrailingZeros().toPlainString());
        System.out.println(this + "; " + log.verifyWhole(queue.agent()));
    }

    /** Number of calls that took effect without an answer. */
    int othersInTheLog() {
        return othersInTheLog.values().stream().mapToInt(it -> it).sum();
    }

    /** What was found out. */
    @Override
    public String toString() {
        return what + ": acknowledged " + acknowledged + ", too late " + tooLate + ", not acknowledged " + others
                + ", of which " + othersInTheLog() + " are in the log " + othersInTheLog + " and " + people.unheard()
                + " have signed up; " + requests.inTheMiddle() + " acceptances were cut off in the middle; "
                + log.executed().size() + " executions, " + log.rejected().size() + " rejections";
    }

    /** The answer to asking for a proposal once more. */
    private static JsonNode again(ProposalClient queue, NumberedCall call) {
        return call.kind() == Kind.PROPOSE
                ? queue.proposeOnce(call.number()).ok().json()
                : null;
    }

    private void count(NumberedCall call) {
        if (call.isTooLate()) {
            tooLate++;
        } else {
            (call.isAcknowledged() ? acknowledged : others).merge(call.kind(), 1, Integer::sum);
        }
        assertThat(call.answer().isEmpty() || call.isAcknowledged() || call.isTooLate() || call.is(503))
                .describedAs("%s", call)
                .isTrue();
    }

    private void wholeOrNot(NumberedCall call, List<JsonNode> found) {
        int most = call.isTooLate() ? 0 : (int) call.rows().count();
        assertThat(found.size()).describedAs("%s: %s", call, found).isIn(call.isAcknowledged() ? most : 0, most);
        if (!found.isEmpty()) {
            JsonNode last = found.get(most - 1);
            assertThat(last.get("seq").longValue() - found.get(0).get("seq").longValue())
                    .isEqualTo(most - 1);
            if (!call.isAcknowledged()) {
                othersInTheLog.merge(call.kind(), 1, Integer::sum);
            } else if (RECEIPTS.contains(call.kind())) {
                Seen answer = call.answer().orElseThrow();
                assertThat(answer.header("X-Policy-Event-Seq"))
                        .isEqualTo(last.get("seq").asText());
                assertThat(answer.header("X-Policy-Event-Hash"))
                        .isEqualTo(last.get("hash").textValue());
            }
        }
    }

    private static void proposedOnce(NumberedCall call, List<JsonNode> decided, JsonNode again) {
        assertThat(decided).describedAs("%s", call).hasSize(1);
        assertThat(again.get("serviceRequestId"))
                .isEqualTo(decided.get(0).get("payload").get("serviceRequestId"));
        if (call.isAcknowledged()) {
            JsonNode first = call.answer().orElseThrow().json();
            assertThat(again.get("idempotent").booleanValue()).isTrue();
            assertThat(again.get("serviceRequestId")).isEqualTo(first.get("serviceRequestId"));
        }
    }
}
