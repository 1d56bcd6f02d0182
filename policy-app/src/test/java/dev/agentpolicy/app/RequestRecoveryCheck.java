package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.NumberedCall.Kind;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Requests: an accepted one is executed once, a rejected one never is, and none is both. */
final class RequestRecoveryCheck implements RecoveryCheck {
    private final IncrementalLog log;
    private final Set<Long> unsettled = new TreeSet<>();
    private int inTheMiddle;

    RequestRecoveryCheck(IncrementalLog log) {
        this.log = log;
    }

    /** How many acceptances were not done yet when something died. */
    int inTheMiddle() {
        return inTheMiddle;
    }

    /** Waits for what was accepted and not done yet. */
    void settle(ProposalClient queue) throws InterruptedException {
        queue.executed(unsettled);
    }

    @Override
    public void hold(ProposalClient queue, Collection<NumberedCall> asked) {
        asked.stream().filter(call -> call.request() != 0).forEach(call -> {
            JsonNode request = queue.request(call.request());
            if (call.kind() == Kind.ACCEPT) {
                accepted(call, request);
            } else {
                rejected(call, request);
            }
        });
    }

    @Override
    public void close(ProposalClient queue) {
        Map<Long, JsonNode> requests = queue.requests();
        assertThat(requests.keySet()).isEqualTo(log.proposed());
        requests.forEach((id, request) -> {
            boolean isExecuted = log.executed().containsKey(id);
            assertThat(is("completed", request)).describedAs("%s", request).isEqualTo(isExecuted);
            assertThat(request.get("execution").isNull())
                    .describedAs("%s", request)
                    .isEqualTo(!isExecuted);
            assertThat(is("rejected", request))
                    .describedAs("%s", request)
                    .isEqualTo(log.rejected().contains(id));
        });
    }

    private void accepted(NumberedCall call, JsonNode request) {
        if (call.isTooLate()) {
            assertThat(is("rejected", request)).describedAs("%s", request).isTrue();
        } else if (ProposalClient.isInProgress(request)) {
            inTheMiddle++;
            unsettled.add(call.request());
        } else if (call.isAcknowledged()) {
            JsonNode answer = call.answer().orElseThrow().json();
            assertThat(is("completed", request)).describedAs("%s", request).isTrue();
            assertThat(ProposalClient.isInProgress(answer) ? request : answer).isEqualTo(request);
        }
    }

    /** The log was read before, and says whether it was. */
    private void rejected(NumberedCall call, JsonNode request) {
        boolean isRejected = log.rejected().contains(call.request());
        assertThat(is("rejected", request)).describedAs("%s: %s", call, request).isEqualTo(isRejected);
        if (call.isAcknowledged()) {
            assertThat(call.answer().orElseThrow().json()).isEqualTo(request);
        }
        if (isRejected) {
            assertThat(request.get("reason").textValue()).isEqualTo(NumberedBodies.name(call.number()));
        } else {
            boolean isAccepted = is("completed", request) || ProposalClient.isInProgress(request);
            assertThat(isAccepted || !call.isTooLate())
                    .describedAs("%s: %s", call, request)
                    .isTrue();
            assertThat(isAccepted || is("pending", request))
                    .describedAs("%s: %s", call, request)
                    .isTrue();
        }
    }

    private static boolean is(String status, JsonNode request) {
        return request.get("status").textValue().equals(status);
    }
}
