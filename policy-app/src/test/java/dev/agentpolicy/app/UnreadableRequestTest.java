package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A corrupted row of a request stays as it is, and the other requests still expire. */
class UnreadableRequestTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void one_spoilt_request_holds_up_no_other_and_is_told_of(@TempDir Path folder) throws Exception {
        String database = Database.POSTGRES.fresh(folder);
        ProposalClient queue;
        long spoilt;
        long other;
        try (ServiceNode node = ServiceNode.start(folder, database)) {
            queue = ProposalClient.of(node.caller());
            spoilt = queue.queued("10");
            other = queue.queued("10");
        }
        TestPostgres.execute(
                database,
                "UPDATE service_request SET expires_at = '2020-01-01T00:00:00Z', document ="
                        + " regexp_replace(document, '\"expiresAt\":\"20..', '\"expiresAt\":\"2020')");
        TestPostgres.execute(database, "UPDATE service_request SET document = '{' WHERE id = " + spoilt);

        try (ServiceProcess process =
                ServiceProcess.start(folder, ServiceNode.environment(folder, database, Map.of()))) {
            JsonNode expired = untilRejected(queue.at(process.address()), other);

            assertThat(expired.get("reason").textValue()).isEqualTo("expired");
            assertThat(process.err())
                    .contains("Nothing could be done for 1 of 2 requests, they come again; the first is " + spoilt);
        }
    }

    private static JsonNode untilRejected(ProposalClient queue, long id) throws InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < end) {
            Seen seen = queue.household().user().get(ProposalClient.path(id)).ok();
            if (seen.json().get("status").textValue().equals("rejected")) {
                return seen.json();
            }
            Thread.sleep(100);
        }
        throw new AssertionError("Request " + id + " did not expire.");
    }
}
