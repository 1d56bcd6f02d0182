package dev.agentpolicy.adapter.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Execution;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The progress of a request's execution, in its only member {@code execution}. */
class RequestJsonTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.000001Z");

    private final Pending pending = Pending.of(StoreSamples.proposal(
            7, StoreSamples.user(), StoreSamples.key(StoreSamples.user()).id(), NOW, NOW.plus(Duration.ofDays(7))));

    @Test
    void a_request_that_was_not_accepted_has_no_execution() {
        assertThat(execution(pending)).isEqualTo("null");
    }

    @Test
    void an_accepted_request_is_in_progress() {
        assertThat(execution(pending.accepted("broker", NOW)))
                .isEqualTo("{\"status\":\"in_progress\",\"custodian\":\"broker\"}");
    }

    @Test
    void a_request_whose_order_was_refused_has_failed() {
        assertThat(execution(pending.accepted("broker", NOW).notExecuted("The market is closed.")))
                .isEqualTo("{\"status\":\"failed\",\"error\":\"The market is closed.\"}");
    }

    @Test
    void a_request_accepted_again_after_a_failure_is_in_progress() {
        Pending again = pending.accepted("broker", NOW)
                .notExecuted("The market is closed.")
                .accepted("other", NOW);

        assertThat(execution(again)).isEqualTo("{\"status\":\"in_progress\",\"custodian\":\"other\"}");
    }

    @Test
    void a_filled_request_has_its_execution() {
        Execution filled =
                new Execution("broker", "fill-1", new BigDecimal("0.100000"), Usd.of("2500.5"), Usd.of("250.05"), NOW);

        assertThat(execution(pending.accepted("broker", NOW).completed(filled, NOW)))
                .isEqualTo("{\"status\":\"filled\",\"custodian\":\"broker\",\"externalId\":\"fill-1\",\"quantity\":0.1,"
                        + "\"price\":2500.5,\"amountUsd\":250.05,\"executedAt\":\"2026-11-21T12:00:00.000001Z\"}");
    }

    @Test
    void a_request_rejected_after_a_failure_has_no_execution() {
        assertThat(execution(
                        pending.accepted("broker", NOW).notExecuted("closed").rejected("enough", NOW)))
                .isEqualTo("null");
    }

    /** The last member of the request. */
    private static String execution(ServiceRequest request) {
        byte[] json = JsonWriter.object(out -> RequestJson.write(out, request));
        String text = new String(json, StandardCharsets.UTF_8);
        String name = "\"execution\":";
        return text.substring(text.indexOf(name) + name.length(), text.length() - 1);
    }
}
