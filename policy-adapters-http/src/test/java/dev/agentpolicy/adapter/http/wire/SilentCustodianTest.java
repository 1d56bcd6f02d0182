package dev.agentpolicy.adapter.http.wire;

import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Await;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SignedIn;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call waits for a silent custodian for a third of its time, and then tells how the request stands. */
class SilentCustodianTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final TestService service =
            new TestService(HttpConfig.of("127.0.0.1", 0, List.of()).withLimits(50, LONG, Duration.ofSeconds(3), LONG));
    private final SignedIn signedIn = new SignedIn(service);
    private final Client agent = signedIn.agent();
    private final Client user = signedIn.user();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void what_is_accepted_cancelled_or_closed_is_answered_and_its_order_goes_on() {
        for (int i = 0; i < 3; i++) {
            agent.post(PROPOSE, TRADE);
        }
        user.post(APP + "requests/3/reject", "");
        CompletableFuture<Void> silence = service.broker.silent();

        Seen accepted = user.post(APP + "requests/1/accept", "");
        JsonNode now = user.get(APP + "requests/2").json().get("now");
        Seen together = user.post(
                APP + "requests/accept",
                "{\"ids\":[2],\"shown\":{\"ipsVersion\":" + now.get("ipsVersion") + ",\"portfolioRevision\":"
                        + now.get("portfolioRevision") + "}}");
        Seen cancelled = user.post(APP + "requests/1/cancel", "");

        Seen withAnEnded = user.post(
                APP + "requests/accept",
                "{\"ids\":[2,3],\"shown\":{\"ipsVersion\":" + now.get("ipsVersion") + ",\"portfolioRevision\":"
                        + now.get("portfolioRevision") + "}}");

        assertThat(withAnEnded.status()).as(withAnEnded.text()).isEqualTo(409);
        isUnderWay(accepted, accepted.json(), false);
        isUnderWay(together, together.json().at("/requests/0"), false);
        isUnderWay(cancelled, cancelled.json(), true);
        Seen closed = user.post(APP + "requests/1/close", "");
        assertThat(closed.status()).as(closed.text()).isEqualTo(409);
        assertThat(closed.json().get("error").textValue()).isEqualTo("order_under_way");
        silence.complete(null);
        Await.until(() ->
                user.get(APP + "requests/2").json().get("status").textValue().equals("completed"));
    }

    private static void isUnderWay(Seen answer, JsonNode request, boolean isCancelled) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(request.get("status").textValue()).isEqualTo("pending");
        assertThat(request.at("/execution/status").textValue()).isEqualTo("in_progress");
        assertThat(request.at("/execution/cancelRequested").booleanValue()).isEqualTo(isCancelled);
    }
}
